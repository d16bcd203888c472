import { defineTexts } from '../../language/texts.js'

/** Words of the dead letters. */
export const DEAD_LETTER_TEXTS = defineTexts(
  {
    name: 'Dead letters',
    hint: 'The connection to the agent was lost and the tool is not safe to repeat, or every attempt was used up. The agent may or may not have acted: look at its side before you run one again.',
    none: 'No dead letters',
    noneHint: 'Of every call that ended it is known how.',
  },
  {
    name: '배달 불능',
    hint: '에이전트와의 연결이 끊겼지만 다시 실행해도 안전한 도구가 아니거나, 모든 시도를 썼습니다. 에이전트가 작업했을 수도 있으니 다시 실행하기 전에 에이전트 쪽을 확인하세요.',
    none: '배달 불능 항목이 없습니다',
    noneHint: '끝난 모든 호출의 결과가 확인되었습니다.',
  },
)
