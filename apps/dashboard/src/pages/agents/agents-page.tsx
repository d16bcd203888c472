import type { AgentView, QueueView } from '@synchub/protocol'
import { useQuery } from '@tanstack/react-query'
import { Boxes } from 'lucide-react'
import { useState } from 'react'
import { EmptyNote } from '../../controls/empty-note.js'
import { FailureNote } from '../../controls/failure-note.js'
import { Waiting } from '../../controls/waiting.js'
import { toFailure } from '../../hub/failure.js'
import { hub } from '../../hub/hub-client.js'
import { useTexts } from '../../language/texts.js'
import { useRefresh } from '../../live/use-refresh.js'
import { AgentRow } from './agent-row.js'
import styles from './agents.module.css'
import { AGENTS_TEXTS } from './agents-texts.js'
import { useQueueDepths } from './use-queue-depths.js'

/** Agents come and go without a notice; this often they are looked at, in ms. */
const LOOK_INTERVAL_MS = 10_000

/** While calls end this often at most, in ms. */
const PACE_INTERVAL_MS = 3000
const KEY = 'agents'

type Sort = 'name' | 'running' | 'failed' | 'slow'

/** What agents are sorted by, the smallest first. */
const SORTS: Readonly<Record<Sort, (agent: AgentView, depth: QueueView | undefined) => number>> = {
  name: () => 0,
  running: (_agent, depth) => -(depth?.active ?? 0),
  failed: ({ pace }) => -(pace?.failed ?? 0),
  slow: ({ pace }) => -(pace?.slowMs ?? 0),
}

/** All agents, side by side. */
export function AgentsPage() {
  const texts = useTexts(AGENTS_TEXTS)
  useRefresh(KEY, PACE_INTERVAL_MS)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [KEY],
    queryFn: ({ signal }) => hub.agents({ signal }),
    refetchInterval: LOOK_INTERVAL_MS,
  })
  if (isPending) return <Waiting lines={6} />
  if (data === undefined) {
    return (
      <div className={styles.failure}>
        <FailureNote failure={toFailure(error)} onRetry={() => void refetch()} />
      </div>
    )
  }
  if (data.length === 0) {
    return (
      <EmptyNote icon={Boxes} title={texts.none}>
        <p>{texts.noneHint}</p>
      </EmptyNote>
    )
  }
  return <AgentTable agents={data} />
}

interface Head {
  readonly name: string
  /** What the table is sorted by when one presses it; absent where it is not. */
  readonly by?: Sort
  /** A phone goes without. */
  readonly isWide?: boolean
}

function AgentTable({ agents }: { readonly agents: readonly AgentView[] }) {
  const texts = useTexts(AGENTS_TEXTS)
  const [sort, setSort] = useState<Sort>('name')
  const depths = useQueueDepths()
  const placeOf = (agent: AgentView) => SORTS[sort](agent, depths?.get(agent.name))
  const sorted = agents.toSorted((left, right) => placeOf(left) - placeOf(right))
  const heads: readonly Head[] = [
    { name: texts.agent, by: 'name' },
    { name: texts.health },
    { name: texts.trust, isWide: true },
    { name: texts.offers, isWide: true },
    // On a phone what runs stands beside what waits.
    ...(depths === undefined
      ? []
      : [{ name: texts.queue }, { name: texts.running, by: 'running', isWide: true } as const]),
    { name: texts.failures, by: 'failed' },
    { name: texts.lastDay, isWide: true },
    { name: texts.typical, isWide: true },
    { name: texts.slow, by: 'slow' },
  ]
  return (
    <div className={styles.page}>
      <h1 className={styles.heading}>{texts.name}</h1>
      <div className={styles.wide}>
        <table className={styles.table}>
          <thead>
            <tr>
              {heads.map(({ name, by, isWide }) => (
                <th
                  key={name}
                  scope="col"
                  className={isWide ? styles.wideOnly : undefined}
                  aria-sort={by !== undefined && by === sort ? (by === 'name' ? 'ascending' : 'descending') : undefined}
                >
                  {by === undefined ? (
                    name
                  ) : (
                    <button
                      type="button"
                      className={styles.sort}
                      title={texts.sortBy(name)}
                      onClick={() => setSort(by)}
                    >
                      {name}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((agent) => (
              <AgentRow key={agent.name} agent={agent} depths={depths} />
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.basis}>{texts.basis}</p>
    </div>
  )
}
