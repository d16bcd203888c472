const ENGLISH = `a about after all also am an and another any are as at be because been before being between both but by can
could did do does doing during each either else ever every few for from further get gets give given had happen happens has have having he
her here his how i if in instead into is it its itself just let like long many may me might more most much must my now of off on once
only or other our out over own per same shall she should since so some such than that the their them then there these they
this those through to too under until up upon us use used uses using very via was we were what when where whether which
while who whom whose why will with would you your`

const KOREAN = `가 각 것 게 과 관한 관해 그 그것 그리고 그런 까지 나 누가 누구 는 다 대하여 대한 대해 도 되나요 되는가 되는지 될 두 들 등
때 때문 또 또는 를 로 만 몇 무슨 무엇 무엇을 무엇이 무엇인가 무엇인가요 및 부터 수 알려줘 어디 어느 어떤 어떻게 언제 에 에게 에서 와 왜
으로 은 을 의 이 이것 이런 인가 인가요 있나요 있는가 있는지 있다 저 좀 중 지 하나요 하는 하는가 하는지 한다 할 합니까 해 해줘`

const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${KOREAN}`.split(/\s+/))

/** Whether a word (as written) carries no subject of its own: articles, particles, question words of English and Korean. */
export function isStopWord(surface: string): boolean {
  return STOP_WORDS.has(surface.toLowerCase())
}
