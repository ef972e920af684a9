"""Sentences in papers that speak to a language model: found, and blanked out.

A paper about physics describes; it does not give its reader orders about answers. What reads as
an order to a model, as its answer, or as a turn of a conversation is neither shown to a model nor
quoted. This knows common ways of speaking to a model, not all of them: whoever reads a model's
answer must still check it against the text. Blanks keep the length, so that offsets stay right.
"""

import re
from functools import lru_cache

from assets.parsing.sentences import split_sentences

BLACK = "\u2588"

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

# Read with the text's own lines: an order may open one.
_ORDER_IN_LINES = re.compile(
    r"""
      \b(?:ignore|disregard|forget|override|bypass)\s+(?:all\s+|any\s+|the\s+|these\s+|your\s+|my\s+)*
        (?:previous|prior|above|earlier|preceding|foregoing|other|system|original)?\s*
        (?:instructions?|prompts?|directions|directives|guidelines|orders|rules\b)
    | \b(?:your|the|new|these|following)\s+(?:system\s+prompt\b|instructions?\s+(?:are|is|say|:))
    | \byou\s+are\s+(?:now\s+)?(?:an?\s+|the\s+)?
        (?:helpful|ai\b|assistant|language\s+model|chatbot|llm\b|model\b|extractor|reviewer)
    | \bas\s+an?\s+(?:ai|artificial\s+intelligence|language\s+model|llm)\b
    | \b(?:ai|llms?|language\s+models?|chatbots?|assistants?|gpt|gemini|claude)\b(?!-)[^.!?]{0,40}
        \b(?:must|should|shall|please|have\s+to|are\s+to|is\s+to)\b[^.!?]{0,40}
        \b(?:output|print|respond|reply|say|state|write|answer|ignore|rate|conclude|recommend)\b
    | \b(?:note|message|instructions?|attention)\s+(?:to|for)\s+(?:the\s+|any\s+|all\s+)*
        (?:ai|llms?|language\s+models?|assistants?|extractors?|automated)\b
    | (?:^|[.!?:;,)\]>"']\s*|\b(?:and|then|instead|please|now|must|should|only)\s+)
        (?:output|print|respond|reply|say|write|return|emit|report|answer|add|set|use|give|assign)
        \s+(?:(?:with|in|to|as|the|a|an|only|just|exactly|following|every|all|each|no|this)\s+)*
        (?:json|claims?\b|prob_fact|chunks_read|quote\b|the\s+following\s+(?:text|sentence|claim)
           |nothing\s+else)
    | \bprob_fact\b | \bchunks_read\b | \bchunk_id\b
    | <\|?\s*/?\s*(?:im_start|im_end|system|assistant|user|endoftext)\s*\|?> | \[/?INST\]
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


def addresses_a_model(sentence: str) -> bool:
    """Whether a sentence reads as an order to a language model or as part of a conversation."""
    return bool(_ORDER.search(" ".join(sentence.split())) or _ORDER_IN_LINES.search(sentence))


def holds_orders(text: str) -> bool:
    """Whether any sentence of a text addresses a language model."""
    return any(addresses_a_model(text[start:end]) for start, end in split_sentences(text))


def without_orders(text: str) -> tuple[str, int]:
    """The text with such sentences replaced by blanks of the same length, and their number."""
    return _covered(text, " ")


def redacted(text: str) -> str:
    """The text with such sentences blacked out, each character by one."""
    return _covered(text, BLACK)[0]


@lru_cache(maxsize=128)
def _covered(text: str, cover: str) -> tuple[str, int]:
    found = 0
    for start, end in split_sentences(text):
        if addresses_a_model(text[start:end]):
            text = text[:start] + cover * (end - start) + text[end:]
            found += 1
    return text, found
