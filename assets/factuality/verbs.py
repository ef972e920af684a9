"""The verbs of physics prose, inflected by rule, so that a word can be asked what it may be.

The base forms are English verbs that occur in papers on accelerators, detectors and medicine; a
verb that is missing here makes its sentence bear no claim, a noun that is here costs nothing.
"""

from assets.factuality.vocabulary import words

_BASES = words(
    """
    absorb accelerate accept access accommodate accompany account accumulate achieve acquire act
    adapt add address adhere adjust administer adopt adsorb advance advocate affect aggravate
    agree aim air align alleviate allow alter alternate amount analyse analyze anneal annihilate
    annotate announce answer anticipate appear append apply appoint approach approve approximate
    arise arrange arrest arrive ask aspire assay assemble assert assess assign assist associate
    assume attach attain attempt attest attract attribute augment average avert avoid await
    award bake balance ban bar bear beat become begin behave belie belong bend benefit bias bid
    bin bind blame block blur boast boil bolt bombard bond boost border borrow braze break breed
    bridge bring broaden buckle build bump bunch burn burst bury buy bypass calculate calibrate
    call cancel capture carry carve cast catch cause cease celebrate center chair challenge
    change channel characterize charge chase check choose chop circulate circumvent cite claim
    clamp clarify classify clean clear climb close cluster coat code coexist coincide collapse
    collect collide collimate combine come command commemorate commission commit compare compel
    compensate compete complain complement complete complicate comply compose compress comprise
    compute conceal conceive concentrate concern conclude condemn condense conduct confer
    configure confine confirm confront confuse connect conserve consider consist constitute
    constrain construct consume contain contaminate contend contest continue contract contribute
    control converge convert convey convince cool coordinate cope correct correlate correspond
    corrode cost count counteract couple cover crack crash create criticize cross crystallize
    cure cut cycle damage dampen dance deal debut decay decide declare decline decorate decouple
    decrease dedicate deduce deem defeat defend defer define deflect defocus deform degrade
    delay delete delimit deliver demand demonstrate denote deny depart depend depict deplete
    deploy deposit deprive derive descend describe deserve design designate desire desorb
    destabilize destroy detach detect deteriorate determine detract detune develop deviate
    devise devote diagnose dictate die differ differentiate diffuse dig digitize dilute diminish
    dip direct disagree disappear discharge disconnect discourage discover discriminate discuss
    dismiss displace display dispute dissipate dissociate dissolve distinguish distort
    distribute diverge divide dominate donate double downgrade draft draw dream dress drift
    drink drive drop drown dump dwarf earn ease eat edit eject elaborate elect elicit eliminate
    elongate emanate embark embed embrace emerge emit emphasize employ emulate enable encase
    encircle enclose encode encounter encourage endorse endure enforce engage engineer enhance
    enjoy enlarge enlist enrich enrol enroll ensure entail enter entitle envisage envision equal
    equate equilibrate equip erode err erupt escape establish estimate etch evacuate evade
    evaluate evaporate evoke evolve exacerbate examine exceed exchange excite exclude exert
    exhaust exhibit exist expand expect expedite expel experience expire explain exploit explore
    export expose express extend extract extrapolate extrude fabricate face facilitate factorize
    fade fail fall fasten favor favour feature feed fight file fill film find finish fit fix
    flatten flee float flourish flow fluctuate fly focus follow forbid force forecast foresee
    forget forgive form foster found fracture free freeze fulfil fulfill function fund fuse gain
    gather generalize generate get give glean glue go govern graduate grant grasp greet
    grow guarantee guess guide hadronize halve hamper handle hang happen harden harness haul
    heal hear heat help hide highlight hinder hinge hire hit hold hop hospitalize host hurt
    identify ignite ignore illuminate illustrate imagine immerse impact impair impede impinge
    implant implement imply import impose impregnate imprison improve inaugurate include
    incorporate increase incur indicate induce infer inflate inflict influence inform inherit
    inhibit initiate inject injure insert insist inspect inspire install instruct instrument
    insulate integrate intend interact intercept interfere interpolate intersect interview
    introduce invade invent invert invest investigate invite involve ionize irradiate isolate
    jeopardize join judge jump justify keep kick kill know lack lag laminate last launch lay
    lead leak learn leave lecture legitimate lend lessen let leverage levitate lie lift limit
    line link live load localize locate lock log look lose lower machine magnetize magnify
    maintain make manage manifest manufacture map march marry mask match matter maximize mean
    measure mediate meet melt mention merge merit migrate mill mimic minimize mirror misalign
    miss mitigate mix model modify modulate mold monitor motivate mount move multiply name
    narrow near necessitate need neglect negotiate neighbor neutralize nod nominate normalize
    note nucleate nullify number nurture obey object oblige obscure observe obstruct obtain
    obviate occlude occupy occur offer offset omit open operate oppose opt optimize orbit
    organize orient originate oscillate outline outlive outnumber outpace outperform outweigh
    overcome overestimate overlap overlay overload owe own oxidize pack paint parallel
    parameterize parametrize participate pass patch pave pay peak penetrate perceive perform
    permeate permit persist persuade pertain perturb phase pick pierce pinch pinpoint pioneer
    place plague plate plateau play plead pledge plot plug plunge point polarize polish pool
    portray pose position possess power praise precede precess precipitate preclude predict
    prefer premiere prepare prescribe present preserve press pressurize presuppose pretend
    prevail prevent print probe proceed process proclaim procure produce profile prohibit
    project prolong promise promote prompt propagate propel propose prosper protect protest
    prove provide provoke publish pulse pump purify pursue push put quadruple quantify quantize
    quench quit quote radiate raid raise ramp randomize range rank rate reach react read realize
    rearrange rebuild recall recast recede receive recirculate reckon reclaim recognize recoil
    recombine recommend reconcile reconstruct record recover recruit rectify recycle redesign
    redistribute reduce refer refine reflect reformulate refrain refurbish refuse regain regard
    regularize regulate reign reinforce reiterate reject rejoin relate relax release relieve
    relocate rely remain remark remedy remember remind remove rename render renew renormalize
    renovate rent repair repeat replace replicate report represent reproduce repurpose request
    require rescue resemble reset resign resist resolve resonate resort respond rest restore
    restrict result resume retain retire retreat return reunite reveal reverse revert review
    revise revive revolve rid ride ring rinse rise rival rob roll rotate roughen route rule run
    rupture rush sag sail sample satisfy saturate save say scale scan scatter score screen
    scrutinize seal search see seek seem segment seize select sell send sense sentence separate
    serve set settle shake shape share sharpen shatter shear shed shield shift ship shoot
    shorten shout show shrink shut sign signify simplify simulate sing sink sinter sit situate
    size sketch skew sleep slide slip slow smear smoke soar solder solidify solve span speak
    specialize specify speculate speed spend spiral splice split spoil sponsor spot spray spread
    spur sputter squander squeeze stabilize stack stagger stall stand star start state stay
    steal steepen steer stem stick stimulate stipulate stir stop store strengthen stress stretch
    strike strip strive structure study subdivide subject submit substitute subtract succeed sue
    suffer suffice suggest suit sum summarize superpose supersede supplant supply support
    suppress surpass surrender surround survey survive suspect suspend sustain swap swear sweep
    swell swim switch symbolize synchronize synthesize tabulate tackle tag tailor taint take
    taper target teach tear tell tend test thicken thin think threaten thrive throw tie tighten
    tilt toggle tolerate top total touch trace track trade transfer transform translate transmit
    transport trap travel traverse treat trigger trim trip triple truncate try tune turn twist
    underestimate undergo underlie underline undermine underscore understand unfold unify unite
    unravel unveil upgrade uphold urge use utilize utter validate vanish vaporize vary veer
    verify veto vibrate violate visit vote wake walk wander want warm warn warp warrant wash
    watch weaken wear weigh weight welcome weld widen wield win wind wire withdraw withstand
    witness wonder work worry worsen wrap write yearn yield
    """
)
_IRREGULAR_PAST = {
    "arise": "arose arisen", "bear": "bore borne", "beat": "beat beaten",
    "become": "became become", "begin": "began begun", "bend": "bent", "bind": "bound",
    "break": "broke broken", "breed": "bred", "bring": "brought", "build": "built",
    "buy": "bought", "catch": "caught", "choose": "chose chosen", "come": "came come",
    "dig": "dug", "draw": "drew drawn", "drink": "drank drunk", "drive": "drove driven",
    "eat": "ate eaten", "fall": "fell fallen", "feed": "fed", "fight": "fought", "find": "found",
    "flee": "fled", "fly": "flew flown", "forbid": "forbade forbidden",
    "foresee": "foresaw foreseen", "forget": "forgot forgotten", "forgive": "forgave forgiven",
    "freeze": "froze frozen", "get": "got", "give": "gave given", "go": "went gone",
    "grow": "grew grown", "hang": "hung", "hear": "heard",
    "hide": "hid hidden", "hold": "held", "keep": "kept", "know": "knew known", "lay": "laid",
    "lead": "led", "leave": "left", "lie": "lay lain", "lose": "lost", "make": "made",
    "mean": "meant", "meet": "met", "overcome": "overcame overcome", "pay": "paid",
    "prove": "proved proven", "rebuild": "rebuilt", "ride": "rode ridden", "ring": "rang rung",
    "rise": "rose risen", "run": "ran run", "say": "said", "see": "saw seen", "seek": "sought",
    "sell": "sold", "send": "sent", "shake": "shook shaken", "shoot": "shot",
    "show": "showed shown", "shrink": "shrank shrunk", "sing": "sang sung", "sink": "sank sunk",
    "sit": "sat", "sleep": "slept", "slide": "slid", "speak": "spoke spoken", "spend": "spent",
    "stand": "stood", "steal": "stole stolen", "stick": "stuck", "strike": "struck",
    "strive": "strove striven", "swear": "swore sworn", "sweep": "swept",
    "swell": "swelled swollen", "swim": "swam swum", "take": "took taken", "teach": "taught",
    "tear": "tore torn", "tell": "told", "think": "thought", "throw": "threw thrown",
    "undergo": "underwent undergone", "understand": "understood", "uphold": "upheld",
    "wake": "woke woken", "wear": "wore worn", "win": "won", "wind": "wound",
    "withdraw": "withdrew withdrawn", "withstand": "withstood", "write": "wrote written",
}  # fmt: skip
_UNCHANGED_PAST = words(
    """
    bid burst cast cost cut forecast hit hurt let offset put quit read recast reset rid set shed
    shut split spread
    """
)
_DOUBLING = words(
    """
    ban bar bin chop commit compel confer control defer dip drop emit expel fit hop incur infer
    lag map occur omit permit plan plug propel refer regret rid rob sag ship skid slip spot spur
    star step stop strip submit swap tag thin transfer trap trim trip wrap
    """
)


def _third_person(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh", "go", "to")):
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
    access account act address advance aim air amount answer approach attempt average award
    balance ban bar bear beat bend benefit bias bid bin blame block boil bolt bond boost border
    break bridge bump bunch burn burst call capture cast catch cause center chair challenge
    change channel charge chase check claim clamp clear climb cluster coat code command
    commission concern contest contract control cost count couple cover crack crash cross cut
    cycle damage dance deal debut decay decline decrease defeat delay demand design desire dip
    direct discharge display dispute double draft draw dream dress drift drink drive drop dump
    equal estimate exchange experience exploit export express face fall favor favour feature
    feed fight file fill film find finish fit fix float flow focus force forecast form fracture
    free freeze function fund gain grant guess guide handle heat help hit hold hop host impact
    import increase influence insert instrument interview issue jump kick lack lag last launch
    lead leak leave lecture lie lift limit line link load lock log look lower manufacture map
    march mask match matter mean measure melt mill mirror miss mix model mold monitor mount move
    name near need note number object offer offset open orbit own pack paint parallel pass patch
    pay peak phase pick place plate play plot plug point pool pose position power present press
    print probe process produce profile project protest pulse pump push quench quote raid ramp
    range rank rate reach read recall recoil record reign reject release remark rent repair
    report request rescue rest result retreat return reverse review ride ring rise roll route
    rule run rupture rush sample save scale scan scatter score screen seal search segment sense
    sentence separate set shake shape share shear shed shield shift ship shoot shout show sign
    size sketch sleep slide slip slow smoke span speed spiral split sponsor spot spray spread
    spur stack stand star start state stay stem stick stop store stress stretch strike strip
    structure study subject suit sum supply support survey suspect sweep switch tag taper target
    tear test thin throw tie tilt top total touch trace track trade transfer transport trap
    travel treat trigger trim trip try turn twist upgrade use value visit vote walk warp wash
    watch wear weight weld win wind wire witness wonder work worry wrap yield
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
