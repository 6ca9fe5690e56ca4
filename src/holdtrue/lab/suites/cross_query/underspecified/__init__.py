"""Cases that leave much open on purpose: diagnosis, investigation, fault finding."""
