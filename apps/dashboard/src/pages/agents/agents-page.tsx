import type { AgentView } from '@synchub/protocol'
import { useQuery } from '@tanstack/react-query'
import { Boxes } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { EmptyNote } from '../../controls/empty-note.js'
import { FailureNote } from '../../controls/failure-note.js'
import { Waiting } from '../../controls/waiting.js'
import { toFailure } from '../../hub/failure.js'
import { hub } from '../../hub/hub-client.js'
import { useFormat } from '../../language/format.js'
import { useTexts } from '../../language/texts.js'
import type { AgentPace } from './agent-pace.js'
import styles from './agents.module.css'
import { AGENTS_TEXTS } from './agents-texts.js'
import { HealthMark } from './health-mark.js'
import { SmallBars, SmallLine } from './small-charts.js'
import { useAgentPaces } from './use-agent-pace.js'

/** Agents come and go without a notice; this often they are looked at, in ms. */
const LOOK_INTERVAL_MS = 10_000

const SORTS = {
  name: () => 0,
  running: (pace: AgentPace | undefined) => -(pace?.running ?? 0),
  failed: (pace: AgentPace | undefined) => -(pace?.failed ?? 0),
  slow: (pace: AgentPace | undefined) => -(pace?.slowMs ?? 0),
} as const

type Sort = keyof typeof SORTS

/** All agents, side by side. */
export function AgentsPage() {
  const texts = useTexts(AGENTS_TEXTS)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['agents'],
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

function AgentTable({ agents }: { readonly agents: readonly AgentView[] }) {
  const texts = useTexts(AGENTS_TEXTS)
  const [sort, setSort] = useState<Sort>('name')
  const paces = useAgentPaces(agents.map(({ name }) => name))
  const sorted = agents.toSorted(
    (left, right) => SORTS[sort](paces.get(left.name)) - SORTS[sort](paces.get(right.name)),
  )
  const heads: readonly (readonly [string, Sort | undefined])[] = [
    [texts.agent, 'name'],
    [texts.health, undefined],
    [texts.trust, undefined],
    [texts.offers, undefined],
    [texts.running, 'running'],
    [texts.failures, 'failed'],
    [texts.perHour, undefined],
    [texts.typical, undefined],
    [texts.slow, 'slow'],
  ]
  return (
    <div className={styles.page}>
      <h1 className={styles.heading}>{texts.name}</h1>
      <div className={styles.wide}>
        <table className={styles.table}>
          <thead>
            <tr>
              {heads.map(([name, by]) => (
                <th
                  key={name}
                  scope="col"
                  aria-sort={by === sort ? (by === 'name' ? 'ascending' : 'descending') : undefined}
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
              <AgentRow key={agent.name} agent={agent} pace={paces.get(agent.name)} />
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.basis}>{texts.basis}</p>
    </div>
  )
}

function AgentRow({ agent, pace }: { readonly agent: AgentView; readonly pace: AgentPace | undefined }) {
  const texts = useTexts(AGENTS_TEXTS)
  const format = useFormat()
  const { name, available, reason, trust, connector, tools, resources, prompts, refused } = agent
  const began = pace?.perStretch.reduce((sum, count) => sum + count, 0) ?? 0
  const offers = [
    texts.tools(tools.length),
    ...(resources.length > 0 ? [texts.resources(resources.length)] : []),
    ...(prompts.length > 0 ? [texts.prompts(prompts.length)] : []),
    ...(refused.length > 0 ? [texts.refused(refused.length)] : []),
  ]
  return (
    <tr>
      <th scope="row">
        <Link href={`/agents/${encodeURIComponent(name)}`} className={styles.agentName}>
          {name}
        </Link>
        <span className={styles.connector}>{connector}</span>
      </th>
      <td title={reason}>
        <HealthMark isAvailable={available} />
      </td>
      <td>{texts.trustLevels[trust] ?? trust}</td>
      <td className={styles.offers}>{offers.join(' · ')}</td>
      <td className={styles.figure}>{format.number(pace?.running ?? 0)}</td>
      <td className={styles.figure} data-bad={(pace?.failed ?? 0) > 0}>
        {format.number(pace?.failed ?? 0)}
      </td>
      <td>
        <SmallBars values={pace?.perStretch ?? []} label={texts.throughput(name, format.number(began))} />
      </td>
      <td className={styles.figure}>{pace?.medianMs === undefined ? '–' : format.duration(pace.medianMs)}</td>
      <td>
        <span className={styles.slow}>
          <span className={styles.figure}>{pace?.slowMs === undefined ? '–' : format.duration(pace.slowMs)}</span>
          <SmallLine values={pace?.durationsMs ?? []} label={texts.latency(name)} />
        </span>
      </td>
    </tr>
  )
}
