import { defineTexts } from '../language/texts.js'

/** Words around what calls were given and answered. */
export const PAYLOAD_TEXTS = defineTexts(
  {
    fold: 'Fold',
    unfold: 'Unfold',
    hiddenLines: (count: string) => `… ${count} lines`,
    cutChars: (count: string) => `… ${count} more characters; copy to see all`,
    rendered: 'Report',
    source: 'Source',
    untrusted: 'Written by the agent: not verified',
    picture: 'A picture in the result',
    sound: 'A sound in the result',
    nothing: 'The call answered without content',
  },
  {
    fold: '접기',
    unfold: '펼치기',
    hiddenLines: (count: string) => `… ${count}줄`,
    cutChars: (count: string) => `… ${count}자 더 있음; 복사하면 전체를 볼 수 있습니다`,
    rendered: '보고서',
    source: '원문',
    untrusted: '에이전트가 작성한 내용이며 검증되지 않았습니다',
    picture: '결과에 포함된 그림',
    sound: '결과에 포함된 소리',
    nothing: '내용 없이 완료된 호출입니다',
  },
)
