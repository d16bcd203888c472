import type { Destruction } from './difference.js'
import { ApprovalNeeded } from './refusal.js'

interface Wording {
  /** The destruction in Korean, and the subject particle that follows its last letter. */
  readonly subject: string
  readonly particle: '이' | '가'
  readonly detail: (table: string, names: readonly string[]) => string
}

/** In order of weight: the first kind that occurs gives the detail. The wording for an index is that of S0.5's example. */
const WORDINGS: ReadonlyMap<Destruction['kind'], Wording> = new Map([
  [
    'index-changed',
    { subject: '기존 인덱스 변경', particle: '이', detail: (table) => `Index modification detected on table ${table}` },
  ],
  [
    'primary-key-changed',
    {
      subject: '기존 기본 키 변경',
      particle: '이',
      detail: (table) => `Index modification detected on table ${table}`,
    },
  ],
  [
    'column-dropped',
    {
      subject: '기존 컬럼 삭제',
      particle: '가',
      detail: (table, names) => `Column removal detected on table ${table}: ${names.join(', ')}`,
    },
  ],
  [
    'column-narrowed',
    {
      subject: '데이터 손실 가능성이 있는 컬럼 타입 변경',
      particle: '이',
      detail: (table, names) => `Lossy column type change detected on table ${table}: ${names.join(', ')}`,
    },
  ],
])

/**
 * Stops a destructive change until an administrator has approved it (S0.5): an index or a primary key that others rely on, a
 * column with its data, a type that may cut values. A primary key is an index too and gets the same detail.
 * @throws ApprovalNeeded when there is any
 */
export function demandApproval(table: string, destructions: readonly Destruction[]): void {
  const kinds = [...WORDINGS].filter(([kind]) => destructions.some((found) => found.kind === kind))
  const [first] = kinds
  if (first === undefined) return
  const names = destructions.flatMap((found) => (found.kind === first[0] && 'name' in found ? [found.name] : []))
  const subjects = kinds.map(([, { subject }]) => subject).join(', ') + kinds.at(-1)?.[1].particle
  throw new ApprovalNeeded(
    `스키마 생성에 ${subjects} 수반되어 관리자 승인이 필요합니다.`,
    first[1].detail(table, names),
  )
}
