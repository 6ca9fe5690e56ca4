"""Claims in free text, tested against a context: first-order logic, its engines, and conversations about claims.

A `ClaimSession` holds a context and checks answers. `find_claim_method` finds one of `CLAIM_PRESETS` by its name.
`CheckSettings` say how claims are verified, `FormalSettings` how sentences become formulas, and `Weights` how verdicts
count. `Calibrations` say how often judges are right. A `CheckRecord` has all findings. `read_sentences` reads an
SMT-LIB script as first-order sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.namespace import namespace

if TYPE_CHECKING:
    from holdtrue_claims.claim_record import AlertRecord as AlertRecord
    from holdtrue_claims.claim_record import CheckRecord as CheckRecord
    from holdtrue_claims.claim_record import ClaimRecord as ClaimRecord
    from holdtrue_claims.claim_record import ClaimType as ClaimType
    from holdtrue_claims.claim_record import ClaimVerdict as ClaimVerdict
    from holdtrue_claims.claim_record import ClauseRecord as ClauseRecord
    from holdtrue_claims.claim_record import ContextRecord as ContextRecord
    from holdtrue_claims.claim_record import FormalizationRecord as FormalizationRecord
    from holdtrue_claims.claim_record import JointRecord as JointRecord
    from holdtrue_claims.claim_record import JointVerdict as JointVerdict
    from holdtrue_claims.claim_record import PremiseRecord as PremiseRecord
    from holdtrue_claims.claim_record import Route as Route
    from holdtrue_claims.claim_record import SoftVerdict as SoftVerdict
    from holdtrue_claims.conversation.claim_session import ClaimSession as ClaimSession
    from holdtrue_claims.kind.calibration import Calibration as Calibration
    from holdtrue_claims.kind.calibration import Calibrations as Calibrations
    from holdtrue_claims.kind.calibration import read_calibrations as read_calibrations
    from holdtrue_claims.kind.method import CLAIM_PRESETS as CLAIM_PRESETS
    from holdtrue_claims.kind.method import ClaimMethod as ClaimMethod
    from holdtrue_claims.kind.method import find_claim_method as find_claim_method
    from holdtrue_claims.kind.record import ClaimAttempt as ClaimAttempt
    from holdtrue_claims.kind.record import ClaimsDetail as ClaimsDetail
    from holdtrue_claims.kind.record import ClaimsRecord as ClaimsRecord
    from holdtrue_claims.kind.record import ProgramRecord as ProgramRecord
    from holdtrue_claims.kind.settings import CheckSettings as CheckSettings
    from holdtrue_claims.kind.settings import FormalSettings as FormalSettings
    from holdtrue_claims.kind.settings import Weights as Weights
    from holdtrue_claims.smtlib.sentence_reader import SentenceScript as SentenceScript
    from holdtrue_claims.smtlib.sentence_reader import read_sentences as read_sentences
else:
    __all__, __getattr__, __dir__ = namespace(
        __name__,
        {
            ".conversation.claim_session": "ClaimSession",
            ".kind.calibration": "Calibration Calibrations read_calibrations",
            ".kind.method": "ClaimMethod CLAIM_PRESETS find_claim_method",
            ".kind.settings": "CheckSettings FormalSettings Weights",
            ".kind.record": "ClaimAttempt ClaimsDetail ClaimsRecord ProgramRecord",
            ".claim_record": (
                "AlertRecord CheckRecord ClaimRecord ClaimType ClaimVerdict ClauseRecord ContextRecord "
                "FormalizationRecord JointRecord JointVerdict PremiseRecord Route SoftVerdict"
            ),
            ".smtlib.sentence_reader": "read_sentences SentenceScript",
        },
    )
