import type { ErrorCode } from '@synchub/protocol'
import { defineTexts } from '../language/texts.js'

/** A failure for people: what it is, and what to do now. */
interface ErrorWords {
  readonly title: string
  readonly remedy: string
}

type ErrorBook = Readonly<Record<ErrorCode, ErrorWords>>

const EN: ErrorBook = {
  PARSE_ERROR: { title: 'The message could not be read', remedy: 'Check what was sent: it must be one JSON text.' },
  INVALID_REQUEST: { title: 'The request is not valid', remedy: 'Check the versions of caller and hub.' },
  METHOD_NOT_FOUND: { title: 'There is no such tool', remedy: 'Look at the agents for the tools that exist.' },
  INVALID_PARAMS: { title: 'An argument is wrong', remedy: 'Correct the argument that is named and call again.' },
  INTERNAL_ERROR: { title: 'Something broke unexpectedly', remedy: 'Give the trace to the operator of the agent.' },
  HITL_APPROVAL_REQUIRED: { title: 'An approval is needed', remedy: 'Have an administrator decide, then call again.' },
  TOKEN_BUDGET_EXCEEDED: {
    title: 'The token budget is spent',
    remedy: 'Wait for the next period, or ask for a larger budget.',
  },
  COMPENSATING_TX_TRIGGERED: { title: 'The work is being undone', remedy: 'Watch the trace until that has ended.' },
  DEADLINE_EXCEEDED: {
    title: 'The caller waits no longer',
    remedy: 'The call goes on: look at how it ends. Do not send it again.',
  },
  CAPABILITY_MISSING: {
    title: 'The caller cannot answer what the agent asks',
    remedy: 'Use a client that can answer it, and call again.',
  },
  CANCELLED: { title: 'The call was cancelled', remedy: 'Run it again if the work is still wanted.' },
  FORBIDDEN: { title: 'This is not allowed', remedy: 'Ask the operator of the hub for the scope that is named.' },
  CONTRACT_BROKEN: {
    title: "The agent's answer breaks its contract",
    remedy: 'Give the trace to the operator of the agent.',
  },
  IDEMPOTENCY_CONFLICT: { title: 'The idempotency key was used before', remedy: 'Use a new key for other arguments.' },
  AGENT_UNAVAILABLE: {
    title: 'The agent was not reached',
    remedy: 'Nothing was done. Run it again when the agent is back.',
  },
  TOO_MANY_REQUESTS: { title: 'Too many requests', remedy: 'Wait a little and try again.' },
  OUTCOME_UNKNOWN: {
    title: 'Nobody knows how it ended',
    remedy: 'The agent may or may not have acted. Look at its side before you run it again.',
  },
  HUB_UNAVAILABLE: {
    title: 'The hub cannot be reached',
    remedy: 'It is asked again by itself. If that lasts, see whether the hub and its Redis run.',
  },
  STORE_FULL: {
    title: 'The memory of the hub is full',
    remedy: 'Nothing was done. Have the operator raise the maxmemory of Redis, or keep traces for a shorter time.',
  },
  UNAUTHENTICATED: { title: 'You are not signed in', remedy: 'Sign in with an API key of this hub.' },
  NOT_FOUND: {
    title: 'It does not exist',
    remedy: 'Check the address. What belongs to somebody else looks missing too.',
  },
  METHOD_NOT_ALLOWED: { title: 'The hub does not serve this', remedy: 'Compare the versions of page and hub.' },
  NOT_ACCEPTABLE: { title: 'The hub does not serve this form', remedy: 'Compare the versions of page and hub.' },
  PAYLOAD_TOO_LARGE: {
    title: 'Too large',
    remedy: 'Send less, or have the operator raise the limit that the error names.',
  },
  UNSUPPORTED_MEDIA_TYPE: { title: 'The hub does not take this form', remedy: 'Compare the versions of page and hub.' },
}

const KO: ErrorBook = {
  PARSE_ERROR: { title: '메시지를 읽을 수 없습니다', remedy: '보낸 내용을 확인하세요. 하나의 JSON이어야 합니다.' },
  INVALID_REQUEST: { title: '올바르지 않은 요청입니다', remedy: '호출 측과 허브의 버전을 확인하세요.' },
  METHOD_NOT_FOUND: { title: '그런 도구가 없습니다', remedy: '에이전트 페이지에서 사용 가능한 도구를 확인하세요.' },
  INVALID_PARAMS: { title: '인수가 잘못되었습니다', remedy: '표시된 인수를 고쳐 다시 호출하세요.' },
  INTERNAL_ERROR: { title: '예기치 않은 오류입니다', remedy: '트레이스를 에이전트 운영자에게 전달하세요.' },
  HITL_APPROVAL_REQUIRED: { title: '승인이 필요합니다', remedy: '관리자의 승인을 받은 뒤 다시 호출하세요.' },
  TOKEN_BUDGET_EXCEEDED: {
    title: '토큰 예산을 모두 썼습니다',
    remedy: '다음 기간까지 기다리거나 예산을 늘려 달라고 하세요.',
  },
  COMPENSATING_TX_TRIGGERED: { title: '작업을 되돌리는 중입니다', remedy: '끝날 때까지 트레이스를 지켜보세요.' },
  DEADLINE_EXCEEDED: {
    title: '호출자가 더 기다리지 않습니다',
    remedy: '호출은 계속됩니다. 결과를 확인하고, 다시 보내지 마세요.',
  },
  CAPABILITY_MISSING: {
    title: '호출자가 에이전트의 질문에 답할 수 없습니다',
    remedy: '답할 수 있는 클라이언트로 다시 호출하세요.',
  },
  CANCELLED: { title: '호출이 취소되었습니다', remedy: '작업이 필요하면 다시 실행하세요.' },
  FORBIDDEN: { title: '허용되지 않습니다', remedy: '표시된 권한을 허브 운영자에게 요청하세요.' },
  CONTRACT_BROKEN: { title: '에이전트의 응답이 계약을 어깁니다', remedy: '트레이스를 에이전트 운영자에게 전달하세요.' },
  IDEMPOTENCY_CONFLICT: { title: '이미 사용한 멱등성 키입니다', remedy: '다른 인수에는 새 키를 쓰세요.' },
  AGENT_UNAVAILABLE: {
    title: '에이전트에 연결하지 못했습니다',
    remedy: '아무 작업도 하지 않았습니다. 에이전트가 돌아오면 다시 실행하세요.',
  },
  TOO_MANY_REQUESTS: { title: '요청이 너무 많습니다', remedy: '잠시 후 다시 시도하세요.' },
  OUTCOME_UNKNOWN: {
    title: '결과를 알 수 없습니다',
    remedy: '에이전트가 작업했을 수도 있습니다. 다시 실행하기 전에 에이전트 쪽을 확인하세요.',
  },
  HUB_UNAVAILABLE: {
    title: '허브에 연결할 수 없습니다',
    remedy: '자동으로 다시 연결합니다. 계속되면 허브와 Redis가 실행 중인지 확인하세요.',
  },
  STORE_FULL: {
    title: '허브의 메모리가 가득 찼습니다',
    remedy:
      '아무 작업도 하지 않았습니다. 운영자에게 Redis의 maxmemory를 늘리거나 트레이스 보관 기간을 줄여 달라고 하세요.',
  },
  UNAUTHENTICATED: { title: '로그인하지 않았습니다', remedy: '이 허브의 API 키로 로그인하세요.' },
  NOT_FOUND: { title: '존재하지 않습니다', remedy: '주소를 확인하세요. 다른 사람의 것도 없는 것처럼 보입니다.' },
  METHOD_NOT_ALLOWED: { title: '허브가 지원하지 않는 요청입니다', remedy: '페이지와 허브의 버전을 비교하세요.' },
  NOT_ACCEPTABLE: { title: '허브가 지원하지 않는 형식입니다', remedy: '페이지와 허브의 버전을 비교하세요.' },
  PAYLOAD_TOO_LARGE: { title: '너무 큽니다', remedy: '줄여서 보내거나 오류에 나온 한도를 늘려 달라고 하세요.' },
  UNSUPPORTED_MEDIA_TYPE: { title: '허브가 받지 않는 형식입니다', remedy: '페이지와 허브의 버전을 비교하세요.' },
}

/** Every failure of the hub in words; what exactly was wrong is added in the hub's own. */
export const ERROR_TEXTS = defineTexts(EN, KO)
