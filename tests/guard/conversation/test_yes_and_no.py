"""A plain yes is a consent; whatever says more is none, and ends each yes before it."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.guard.guard import Guard
from holdtrue.language.requests.spans import LONGEST_TEXT, LONGEST_WORDS
from holdtrue.language.yes_words import answer_of
from tests.guard.conversation.shop import guard, policy
from tests.patience import counted

FRIDAY = "2026-03-06"
CALL = {"day": FRIDAY, "guests": 4}
LISTING = "Friday, 6 March, for 4 guests. Shall I reserve it?"
ASKED = {"for 4 on friday": {"day": FRIDAY, "guests": 4}}

YES = """
yes | Yes please | yes, please do | Sure, go ahead | please do | that's right | Thats right,
thanks | sounds good | Sounds great to me | perfect, thanks | ok do it | si | sí, por favor | ja |
Ja bitte | ja, gerne | OK | okay, thanks | Good, then yes | Yes, that works for me | Yep, all
correct | absolutely | Of course | Certainly, go ahead | Sure thing! | Alright, let's do it | go
for it | Please proceed | I'd like that | Please go ahead and reserve it | Yeah, that's fine |
That works | works for me | Looks good, please confirm | I confirm | confirmed | I agree | 👍 |
Yes!!! | yup that is perfect | perfecto | De acuerdo, gracias | passt | Einverstanden | claro que
sí | Yes and thank you so much | Great. Yes. | definitely | Fine with me | It's perfect | Yes I
want that | Cool, do it | Wonderful, thank you! | ok, go ahead please | Yes, that is correct. |
All good, go ahead | By all means | I'm happy with that | Very good, thank you | Yeah sounds good
| Yes, that sounds great, thank you | Yes. Thanks! | yes that would be great | That would be
perfect | Yes, I would like that | Yes, do it please | Perfect, go ahead | great, that works | Yes
it is correct | that's perfect, yes | Let's do that | okay great | ok cool | Correct | Right |
Fine | Good, go ahead | Yes indeed | sure thing, thanks | ok, yes, do that | ja passt | vale | Ja,
das stimmt so | Sure, that's great | Wonderful, please go ahead. | Yes, that's exactly what I need
| fantastic, thank you so much | Let's go ahead | Yep do that | That will work | It looks right |
Yes, correct, thank you | Sure!
"""
NO_YES = """
Are you sure? | Is that good? | ok? | I would like to think about it first. |
Let me confirm with my boss and get back to you | Let's discuss the price | I'd love a discount |
Looks like rain | yes if it's cheaper | yes, but make it 5 | let me think | no | sure about the price? |
Good question, let me ask my wife. | What is the right way to get there | I'm fine with nothing |
Right, what about parking? | Are you ready | I am not ready | I'd like to know the price first. |
yes, once my wife has agreed, maybe | Good morning | I like Italian food | I love the terrace |
Great question | Nice place | Sounds expensive | That sounds too expensive | I have a good friend there |
Is that right | right? | Yes? | yes or no, I don't know | Perhaps | I guess so | maybe yes | not sure |
Not really | Sure, but what does it cost | Okay, and what about the menu | Would that be correct? |
Do you confirm bookings by email | Can you confirm the price? | please confirm the price |
How good is the food | Could you tell me more | I will confirm tomorrow | I need to confirm with Anna |
hold on | one moment please | give me a second | I'd rather have Saturday | Another day would be better |
Actually, Saturday | Book a taxi | book me a hotel too | Reserve something cheaper | Let's see | Let's wait |
OK let me check my calendar | ok I see | Alright, I understand | Fine, as long as there is parking |
Yes, provided that it is quiet | if it is quiet, yes | Yes, unless it rains | Does it sound good to you? |
I'm ready to hear the options | It would be great to have a window | The right side please |
We had a great time last year | My wife likes it there | I like your style | Good luck | Goodbye | hello |
Thanks | Thank you very much | Not that one | No, sorry, I have to decline. | Please do not book anything. |
vielleicht | nein danke | ja, wenn es ruhig ist | noch nicht | no gracias | sí, pero otro día |
si es más barato | ¿es correcto? | quizás | I said yes to my wife, not to you | Tell me about the wine first |
Before that, yes, what is the address | Who likes it | Works on Saturday? | For sure not |
Sure, if you say so | Cool, is there wifi | The weather is perfect | Okay so who else is coming |
Fine dining is what I love | Super busy today | Yes man is my favourite film | I'd love to know the menu |
I want to confirm with my wife | You sure | really | Yeah right | That's not right | Sounds wrong |
That's fine print | Make it perfect for us | Sure? How so | Yes I have a question first |
Yes, what time is it at | I love it when it rains | I like that you ask | Right turn at the station |
It's right next to my office | That works only on Saturday | Works if we get a window | OK but cheaper |
Please do tell me the price | Book it only if it's free | I'd like to see the menu | I'd like to know more |
go ahead and tell me the price | Please do not | Go on | Go on, I'm listening | I'll take my time |
I'll take a look | Take your time | I'll take the bus there | Confirm the price please | Cancel that |
Could you hold it for me? | Would you do it if you were me? | It seems good but far | Seems a bit late |
We'd love to but we can't | I would love to, however my wife is ill | Sounds good, let me ask my husband |
Great, I'll get back to you | Perfect, let me check with my team | good morning, is it open |
Yes, after I have spoken to Anna | Yes when you have a terrace table | Let me sleep on it |
I'd want to sleep on it | yes and no | Well yes, well no | Yesterday was fine | Yesterday I booked a table |
okay, what else do you have | I will let you know | I'll let you know tomorrow | can you do it cheaper? |
Sure enough it rained | Good grief | Right now I am busy | Fine, be that way, no | good idea? |
I guess that's fine | Probably fine | That might work | It could work | OK wait | Are we good? |
So, is it booked? | Did you book it | You can book it tomorrow after my call | Correct the date please |
Correct me if I'm wrong | It's correct that we are vegan | Please make it 5 | make that Saturday |
Change it to 5 and book it | Do it on Saturday instead | Great food there last time | I agree that it is far |
I accept cookies | Deal with it later | Which airline is it | I wonder about the luggage | Any cheaper one |
How about the 5th | Is it direct? | Isn't that too early? | I'd like to compare prices |
I'm looking for something later | I need to talk to my wife | I'll think about it |
Yes, provided it is direct | As long as it is direct, yes | Book it if it's direct | Can I cancel it later? |
Will I get a refund | Good to know | That's good to know | Fine by my boss? I don't know |
I like flights in the morning | Love the price, hate the time | Okay, so when does it land |
Thanks, I'll be back | Let me get my card | Give me a minute | My boss said yes, I am not so sure |
sure, whatever you say, but no | I have already said maybe | Perfect weather today | Right, let me see |
Excellent airline, bad time
"""
REFUSED = """
No. | no | Nope | No, sorry, I have to decline. | Please do not book anything. | No thanks | no thank you |
Sorry, no | nah | nein | nein danke | No, I don't want it | wait | Wait, don't book it yet | hold on |
hang on a second | Not yet | Don't do it | do not proceed | stop | stop please | never mind | Forget it |
cancel that | on second thought, let's not | I changed my mind | I'd rather not | I don't think so |
I decline | I refuse | Please don't reserve it | don't go ahead | Cancel it please | Not interested |
not now | I'm afraid not | Unfortunately not | Thanks, but no thanks | No, 5 guests please | no, Saturday |
No way | Absolutely not | Don't book anything yet | Please never book that |
I don't want to book it any more | we no longer want it | I take that back | I take it back, sorry |
Not that one | not really | Actually no | Well, no | Oh no, stop | Let's wait | I'd better wait |
We decided against it | I'll pass | Leave it | Leave it for now | call it off | nicht buchen bitte |
doch nicht | mejor no | no, gracias | Hmm no | negative | ok wait | Don't order it | do not confirm it |
I do not agree | please cancel the booking | No, that's wrong | No, don't | no I do not want that |
Nope, sorry | No, that's fine | No, I'm good | I don't want to reserve it | Please don't | don't |
please do not reserve it | I cannot agree to this | not happening | No deal | I've changed my mind |
I have decided not to | Actually, let's not | Let's not do that | let's cancel | We can't make it after all |
Stop it | Please hold off | Hold your horses, wait | I need to cancel | I want to cancel it | scrap that |
Drop it | Thanks but I'll pass | I'm not going to book | I won't book it | I would not like that |
I wouldn't | Don't bother | No need | No need, thanks | Nah, thanks | Rather not | certainly not | I say no |
My answer is no | The answer is no | It's a no from me | Better not | lass es | nein, bitte nicht |
No lo quiero | No quiero | No, it's too early | No, too expensive | Nope, not that flight |
I do not want that flight | Do not book that flight please | No, find me another | please stop the booking |
I want to back out | I'd like to withdraw | Forget about it | I changed my mind, sorry |
That's not what I want | I didn't ask for that | Not for me, thanks | Cancel the booking |
Cancel my order please | Hold on, let me check | wait a minute please | I do not wish to proceed |
We won't be booking | no no no | Don't you dare book it | I regret it, don't do it |
That is wrong, don't book | Sorry, I can't do that | I'd prefer not to | I prefer not to | Please undo it |
Let us not book it | No gracias
"""


def listed(text: str) -> list[str]:
    return [own.strip() for own in text.replace("\n", " ").split(" | ")]


@pytest.mark.parametrize("message", listed(YES))
def test_a_plain_yes_consents(message: str) -> None:
    assert answer_of(message, {"reserve"}) == "yes"


@pytest.mark.parametrize("message", listed(NO_YES))
def test_a_question_a_condition_a_delay_and_other_talk_are_no_consent(message: str) -> None:
    assert answer_of(message, {"reserve"}) != "yes"


@pytest.mark.parametrize("message", listed(REFUSED))
def test_a_refusal_says_more_than_a_courtesy(message: str) -> None:
    assert answer_of(message, {"reserve"}) == "more"


@pytest.mark.parametrize("word", ["no ", "yes ", "don't ", "please ", "so so very ", "let me know ", "a", "-"])
def test_long_messages_are_judged_with_little_work(word: str) -> None:
    with counted() as calls:
        assert answer_of(word * 20_000) == "more"
    assert calls.made < 200_000


@pytest.fixture
def talk() -> Any:
    return guard(ASKED, policy=policy(tools={"consent": ["Table.Reserve"]})).conversation("c")


@pytest.mark.parametrize("message", ["Are you sure?", "ok?", "Let me confirm with my boss", "yes, but make it 5", "no"])
async def test_what_is_no_clear_yes_lets_nothing_through(talk: Any, message: str) -> None:
    await talk.heard(user="for 4 on friday")
    heard = await talk.heard(assistant=LISTING, user=message)
    assert not heard.yes
    assert (await talk.check("Table.Reserve", CALL)).kind == "confirm"


@pytest.mark.parametrize("message", ["No, sorry, I have to decline.", "Please do not book anything.", "no"])
async def test_a_no_after_a_yes_takes_it_back(talk: Any, message: str) -> None:
    await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", CALL)
    await talk.heard(assistant=decision.for_user, user="yes")
    await talk.heard(user=message)
    assert (await talk.check("Table.Reserve", CALL)).kind == "confirm"


async def test_a_no_to_a_decision_takes_back_the_yes_to_it(talk: Any) -> None:
    await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", CALL)
    await talk.heard(user="yes", answers=decision)
    await talk.heard(user="no", answers=decision)
    assert (await talk.check("Table.Reserve", CALL)).kind == "confirm"


async def test_a_listing_that_was_refused_is_not_agreed_to_by_a_yes_to_something_else(talk: Any) -> None:
    await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", CALL)
    await talk.heard(assistant=decision.for_user, user="No.")
    await talk.heard(assistant="OK. May I tell you about our wine list?", user="yes")
    assert (await talk.check("Table.Reserve", CALL)).kind == "confirm"


@pytest.mark.parametrize(("later", "kind"), [("Thank you!", "allow"), ("No, that's all, thanks", "confirm")])
async def test_a_courtesy_leaves_a_yes_as_it_is_and_all_else_ends_it(talk: Any, later: str, kind: str) -> None:
    await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", CALL)
    await talk.heard(assistant=decision.for_user, user="yes")
    await talk.heard(assistant="Is there anything else?", user=later)
    assert (await talk.check("Table.Reserve", CALL)).kind == kind


CHAT = "the weather was nice and we had fun. "


async def test_what_stands_at_the_end_of_a_long_message_is_heard() -> None:
    talk = Guard(policy()).conversation("c")
    heard = await talk.heard(user=CHAT * 100 + "A table for 5 on Friday please.")
    assert not heard.unheard
    assert (await talk.check("Table.Reserve", CALL)).disputed == ("guests",)


@pytest.mark.parametrize("chat", [CHAT * (LONGEST_TEXT // len(CHAT) + 1), "5 " * LONGEST_TEXT])
async def test_a_message_that_is_not_read_whole_is_unheard_and_asked_about(chat: str) -> None:
    talk = Guard(policy()).conversation("c")
    heard = await talk.heard(user=chat + " A table for 5 guests on Friday please.")
    assert "it is too long" in heard.unheard and not heard.yes
    for _ in range(2):  # it stays unheard, and is not read again each time
        decision = await talk.check("Table.Reserve", CALL)
        assert decision.kind in ("ask", "block") and decision.stops


@pytest.mark.parametrize("chat", ["so " * LONGEST_WORDS, "5 " * 500])
async def test_what_a_reader_cannot_be_told_all_values_of_is_unheard(chat: str) -> None:
    talk = guard().conversation("c")
    heard = await talk.heard(user=chat + " A table for 5 guests on Friday please.")
    assert "it is too long" in heard.unheard
    assert (await talk.check("Table.Reserve", CALL)).kind == "ask"
