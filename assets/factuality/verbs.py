"""The verbs of physics prose, inflected by rule, so that a word can be asked what it may be.

The base forms are English verbs that occur in papers on accelerators, detectors and medicine; a
verb that is missing here makes its sentence bear no claim, a noun that is here costs nothing.
"""

from assets.factuality.vocabulary import words

_BASES = words(
    """
    absorb accelerate accept access accommodate accompany account accumulate achieve acquire act
    adapt add address adhere adjust administer adopt adsorb advocate affect aggravate agree aim
    air align alleviate allow alter alternate amount analyse analyze anneal annihilate announce
    answer anticipate appear apply appoint approach approve approximate arise arrange arrest
    arrive ask aspire assemble assess assign assist associate assume attach attain attempt
    attract attribute augment average avoid award balance bear become begin behave belie belong
    bend benefit bind block blur bolt bombard bond boost border braze break bridge bring broaden
    buckle build bump bunch burst buy bypass calculate calibrate call cancel capture carry cause
    center change characterize charge check choose chop circulate circumvent claim clamp clarify
    classify clean climb close cluster coat coincide collapse collect collide collimate combine
    come commission commit compare compel compensate compete complement complete complicate
    compose compress comprise compute conceive concentrate concern conclude condense conduct
    confer configure confine confirm connect consider consist constitute constrain construct
    consume contain continue contract contribute control converge convert convey cool correct
    correlate correspond corrode cost count counteract couple cover crack crash create cross
    crystallize cure cut cycle damage dampen deal debut decay decide decline decouple decrease
    dedicate deduce deem defer define deflect defocus deform degrade delimit deliver demand
    demonstrate denote depend depict deplete deploy deposit derive descend describe deserve
    design desire desorb detach detect deteriorate determine detract detune develop deviate
    devise devote diagnose dictate die differ differentiate diffuse digitize diminish dip direct
    disappear discharge disconnect discourage discover discriminate discuss displace display
    dissipate dissolve distinguish distort distribute diverge divide dominate double drift drive
    drop dump dwarf earn ease eject elaborate elect eliminate elongate emanate embed embrace
    emerge emit employ enable encase enclose encounter encourage enforce engage engineer enhance
    enlarge enlist enrich enrol enroll ensure entail enter entitle envisage envision equal
    equate equip erode err escape establish estimate etch evacuate evaluate evaporate evolve
    examine exceed exchange excite exclude exert exhibit exist expand expect expel experience
    explain exploit explore export expose express extend extract extrapolate extrude fabricate
    face facilitate factorize fade fail fall fasten favor favour feature feed fill find finish
    fit fix flatten flow fluctuate fly focus follow force foresee form foster found fracture
    freeze fulfil fulfill function fund fuse gain generate get give glean glue go govern
    graduate grasp grow guarantee guide hadronize halve hamper handle hang happen harden harness
    heat help hide highlight hinder hire hit hold hospitalize host identify illuminate
    illustrate immerse impact impede impinge implement imply import impose impregnate improve
    include incorporate increase incur indicate induce infer inflate influence inform inhibit
    initiate inject injure insert inspect inspire install instruct instrument insulate integrate
    interact intercept interpolate intersect introduce invent invest investigate invite involve
    ionize irradiate isolate join judge justify keep kick kill know lack laminate last launch
    lead leak learn leave legitimate lend lessen let leverage lie lift limit line link live load
    localize locate lock log look lose lower machine magnetize maintain make manage manifest
    manufacture marry mask match matter maximize mean measure mediate meet melt mention merge
    merit mimic minimize mirror misalign mitigate model modify modulate monitor motivate mount
    move multiply narrow near necessitate need neglect neighbor neutralize nod nominate
    normalize note nucleate nullify number nurture obey oblige obscure observe obtain obviate
    occupy occur offer offset open operate oppose optimize orbit organize orient originate
    oscillate outline outlive outnumber outperform outweigh overcome overestimate overlap owe
    own oxidize pack parallel parameterize parametrize participate pass pave pay peak penetrate
    perform permeate permit persist pertain phase pierce pinch pinpoint pioneer place plague
    plate plateau play plot plunge point polarize polish pool pose position possess power
    precede precess precipitate preclude predict prefer premiere prepare prescribe present
    preserve press pressurize presuppose pretend prevail prevent print probe proceed process
    procure produce prohibit project prolong promise promote prompt propagate propel propose
    protect prove provide publish pulse pump purify pursue push put quadruple quantify quench
    radiate raise ramp randomize range rank rate reach react read realize recall recede receive
    recirculate reckon recognize recoil recombine recommend reconcile reconstruct record recover
    recruit rectify reduce refer refine reflect refrain regain regularize regulate reinforce
    reiterate reject relate relax release relieve rely remain remedy remove renormalize repeat
    replace report represent reproduce require resemble resign resist resolve resonate resort
    respond rest restrict result retain retire reveal review revise revolve rid rise rival roll
    rotate rule run rupture sail sample satisfy saturate save say scale scan scatter score
    screen seal search see seek seem segment select sell separate serve set settle shape share
    sharpen shear shed shield shift ship shorten show shrink shut sign signify simplify simulate
    sinter sit situate size slide slip smear soar solder solidify solve span speak specify
    speculate speed spend spiral split spoil sponsor spot spread spur sputter squander squeeze
    stabilize stack stall stand star start state stay steepen steer stem stick stimulate
    stipulate stop store strengthen stress stretch strike strive structure study subject submit
    substitute succeed suffer suffice suggest suit sum summarize superpose supersede supplant
    supply support suppress surpass surround survey survive suspend sustain swap sweep swell
    switch synthesize tackle tag tailor taint take taper target teach tell tend test think tie
    tighten tilt toggle tolerate top total touch trace track trade transfer transform translate
    transmit transport trap travel traverse treat trigger trim trip triple truncate try tune
    turn twist underestimate undergo underlie underline undermine underscore understand unfold
    unify upgrade uphold urge use utilize utter validate vanish vary veer verify veto vibrate
    violate want warm warp warrant weaken wear weigh weight weld widen wield win wind withstand
    work worsen wrap write yearn yield
    """
)
_IRREGULAR_PAST = {
    "arise": "arose arisen", "bear": "bore borne", "become": "became become",
    "begin": "began begun",
    "bend": "bent", "bind": "bound", "break": "broke broken", "bring": "brought",
    "build": "built", "buy": "bought", "choose": "chose chosen", "come": "came come",
    "drive": "drove driven", "fall": "fell fallen", "feed": "fed", "find": "found",
    "fly": "flew flown", "foresee": "foresaw foreseen", "freeze": "froze frozen", "get": "got",
    "give": "gave given", "go": "went gone", "grow": "grew grown", "hang": "hung",
    "hide": "hid hidden", "hold": "held", "keep": "kept", "know": "knew known", "lead": "led",
    "leave": "left", "lie": "lay lain", "lose": "lost", "make": "made", "mean": "meant",
    "meet": "met", "overcome": "overcame overcome", "pay": "paid", "prove": "proved proven",
    "rise": "rose risen", "run": "ran run", "say": "said", "see": "saw seen", "seek": "sought",
    "sell": "sold", "show": "showed shown", "shrink": "shrank shrunk", "sit": "sat",
    "slide": "slid", "speak": "spoke spoken", "spend": "spent", "stand": "stood",
    "stick": "stuck", "strike": "struck", "strive": "strove striven", "sweep": "swept",
    "swell": "swelled swollen", "take": "took taken", "teach": "taught", "tell": "told",
    "think": "thought", "undergo": "underwent undergone", "understand": "understood",
    "uphold": "upheld", "wear": "wore worn", "win": "won", "wind": "wound",
    "withstand": "withstood", "write": "wrote written",
}  # fmt: skip
_UNCHANGED_PAST = words("burst cost cut hit let offset put read rid set shed shut split spread")
_DOUBLING = words(
    """
    chop commit compel confer control defer dip drop emit expel fit incur infer occur permit
    plan propel refer rid ship slip spot spur star step stop strip submit swap tag transfer trap
    trim trip wrap
    """
)


def _third_person(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh")) or base == "go":
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLING else "") + "ed"


BASE_VERBS = _BASES | {base[:-3] + "ise" for base in _BASES if base.endswith("ize")}
"""Base forms, which are finite after a plural subject."""

THIRD_PERSON = {_third_person(base): base for base in BASE_VERBS}
"""Third person singular of the present → base."""

PAST = (
    {_regular_past(base): base for base in BASE_VERBS - set(_IRREGULAR_PAST) - _UNCHANGED_PAST}
    | {form: base for base, forms in _IRREGULAR_PAST.items() for form in forms.split()}
    | {base: base for base in _UNCHANGED_PAST}
)
"""Past tense and past participle → base; English rarely tells the two apart."""

SIMPLE_PAST = {forms.split()[0] for forms in _IRREGULAR_PAST.values() if len(forms.split()) > 1} - {
    "bore"
}
"""Past forms that are no participles: "showed", "became"."""

NOUN_LIKE_VERBS = words(
    """
    access account act address aim air amount answer approach attempt average award balance bear
    bend benefit block bolt bond boost border break bridge bump bunch burst call capture cause
    center change charge check claim clamp climb cluster coat commission concern contract
    control cost count couple cover crack crash cross cut cycle damage deal debut decay decline
    decrease demand design desire dip direct discharge display double drift drive drop dump
    equal estimate exchange experience exploit export express face fall favor favour feature
    feed fill find finish fit fix flow focus force form fracture freeze function fund gain guide
    handle heat help hit hold host impact import increase influence insert instrument issue kick
    lack last launch lead leak leave lie lift limit line link load lock log look lower
    manufacture mask match matter mean measure melt mirror model monitor mount move near need
    note number offer offset open orbit own pack parallel pass pay peak phase place plate play
    plot point pool pose position power present press print probe process produce project pulse
    pump push quench ramp range rank rate reach read recall recoil record reject release report
    rest result review rise roll rule run rupture sample save scale scan scatter score screen
    seal search segment separate set shape share shear shed shield shift ship show sign size
    slide slip span speed spiral split sponsor spot spread spur stack stand star start state
    stay stem stick stop store stress stretch strike structure study subject suit sum supply
    support survey sweep switch tag taper target test tie tilt top total touch trace track trade
    transfer transport trap travel treat trigger trim trip try turn twist upgrade use value warp
    wear weight weld win wind work wrap yield
    """
)
"""Verbs whose base or third person is as often a noun ("results", "measures", "model")."""

INTRANSITIVE_VERBS = words(
    """
    agree appear arise arrive become begin belong coincide collapse come consist correspond
    decay depend deteriorate deviate differ disappear emanate emerge exist fail fall go grow
    happen interact lie occur participate persist pertain proceed remain result rise seem
    succeed suffer survive vanish wait work
    """
)
"""Verbs without a passive: their past form is finite even where no object follows it."""
