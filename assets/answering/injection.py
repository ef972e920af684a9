"""Sentences in papers that speak to a language model: found, and blanked out of the evidence.

A paper about physics describes; it does not give its reader orders about answers. What reads as
an order to a model, as its answer, or as a turn of a conversation is neither shown to a model nor
quoted. Blanks keep the length, so that offsets into the passage stay right.
"""

import re

from assets.parsing.sentences import split_sentences

_READER = (
    r"(?:ai|a\.i\.|llms?|(?:large\ )?language\ models?|chat\ ?bots?|assistants?|chatgpt|gpt-?\d"
    r"|gemini|claude)"
)
_ORDER = re.compile(
    rf"""
      \b(?:ignore|disregard|forget|override|bypass|discard)\b .{{0,60}}
        \b(?:instructions?|prompts?|rules?|directions?|guidelines?|commands?|context
          |everything\ above
          |(?:previous|prior|preceding|earlier|other)\ (?:text|passages?|papers?|sources?|evidence)
          )\b
    | \bas\ an?\ {_READER}\b
    | \byou\ (?:are|must|should|will|shall|have\ to|need\ to)\b .{{0,60}}
        \b(?:{_READER}|answer|reply|respond|say|state|output|cite|recommend|conclude|report\ that)\b
    | \byou\ are\ (?:now\ )?(?:an?|the)\ (?:helpful|{_READER}|expert|system)\b
    | \b(?:note|attention|message|instructions?|reminder|notice)\b .{{0,12}}
        \b(?:to|for)\ (?:the\ |any\ |all\ )?{_READER}\b
    | \b(?:attention|dear|hey|hello)\b,?\ (?:all\ )?{_READER}\b
    | \b(?:new|updated|hidden|secret|special|system|developer)
        \ (?:instructions?|prompts?|messages?|directives?)\b
    | \b(?:system|developer|your)\ prompt\b
    | \b(?:your|these)\ (?:(?:new|previous|original|initial)\ )?instructions?\b
    | \b(?:follow|obey|execute)\ (?:th[ei]se?|the\ following)\ (?:instructions?|orders?|commands?)\b
    | \b(?:answer|reply|respond|output|print|write|return|say)\b .{{0,20}}
        \b(?:only|exactly|always|verbatim|with\ the\ (?:words?|text|phrase|sentence)
          |the\ following)\b
        .{{0,80}} (?:["“':]|\b(?:json|answer|question|user|words?|phrase)\b)
    | \b(?:when|if|whenever)\ (?:you\ are\ |ever\ )?asked\b .{{0,80}}
        \b(?:answer|say|reply|respond|state|claim|cite)\b
    | \b(?:tell|inform|convince|assure)\ the\ (?:user|reader|person\ asking)\b
    | \bdo\ not\ (?:mention|reveal|cite|tell|disclose|abstain|quote|trust|use)\b .{{0,60}}
        \b(?:user|instructions?|prompt|passages?|sources?|other\ papers?
          |this\ (?:sentence|message|text|note))\b
    | \b(?:always|only)\ (?:cite|recommend|trust|answer|quote)\b .{{0,40}}
        \b(?:this|our|the\ following)\ (?:paper|passage|work|document|source)\b
    | ^\s*(?:system|assistant|user|human|developer)\s*:\s
    | <\|?(?:im_start|im_end|system|assistant|user|endoftext)\|?>
    | \[/?(?:INST|SYS)\] | \#\#\#\s*(?:instruction|system|response)s?\b
    | </?(?:passage|question|instructions?)\b
    | \b(?:jailbreak|prompt\ injection)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def addresses_a_model(sentence: str) -> bool:
    """Whether a sentence reads as an order to a language model or as part of a conversation."""
    return bool(_ORDER.search(" ".join(sentence.split())))


def without_orders(text: str) -> tuple[str, int]:
    """The text with such sentences replaced by blanks of the same length, and their number."""
    found = 0
    for start, end in split_sentences(text):
        if addresses_a_model(text[start:end]):
            text = text[:start] + " " * (end - start) + text[end:]
            found += 1
    return text, found
