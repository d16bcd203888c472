import type { CallState, TraceState } from '@synchub/protocol'
import { defineTexts } from './texts.js'

const STATES_EN: Readonly<Record<CallState | TraceState, string>> = {
  received: 'Received',
  queued: 'Queued',
  running: 'Running',
  awaiting_input: 'Waits for its caller',
  completed: 'Completed',
  tool_failed: 'Tool failed',
  failed: 'Failed',
  refused: 'Refused',
  cancelled: 'Cancelled',
  unknown: 'Unknown',
}

const STATES_KO: Readonly<Record<CallState | TraceState, string>> = {
  received: '접수됨',
  queued: '대기 중',
  running: '실행 중',
  awaiting_input: '입력 대기 중',
  completed: '완료',
  tool_failed: '도구 실패',
  failed: '실패',
  refused: '거부됨',
  cancelled: '취소됨',
  unknown: '결과 불명',
}

/** Words that stand on more than one page. */
export const COMMON_TEXTS = defineTexts(
  {
    states: STATES_EN,
    rerun: 'Run again',
    close: 'Close',
    copy: 'Copy',
    copied: 'Copied',
    retry: 'Try again',
    loading: 'Loading',
    whatNow: 'What now',
    keep: 'Keep as it is',
    notFound: 'This page does not exist',
    notFoundHint: 'The address may be mistyped, or from another version of the hub.',
    toTraces: 'Go to the traces',
  },
  {
    states: STATES_KO,
    rerun: '다시 실행',
    close: '닫기',
    copy: '복사',
    copied: '복사됨',
    retry: '다시 시도',
    loading: '불러오는 중',
    whatNow: '해결 방법',
    keep: '그대로 두기',
    notFound: '존재하지 않는 페이지입니다',
    notFoundHint: '주소가 잘못되었거나 다른 버전의 허브 주소일 수 있습니다.',
    toTraces: '트레이스로 이동',
  },
)
