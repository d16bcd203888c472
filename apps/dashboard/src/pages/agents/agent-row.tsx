import type { AgentView, QueueView } from '@synchub/protocol'
import { Link } from 'wouter'
import { useFormat } from '../../language/format.js'
import { useTexts } from '../../language/texts.js'
import styles from './agents.module.css'
import { AGENTS_TEXTS } from './agents-texts.js'
import { HealthMark } from './health-mark.js'
import { SmallBars, SmallLine } from './small-charts.js'

interface AgentRowProps {
  readonly agent: AgentView
  /** Undefined for those who may not see queues. */
  readonly depths: ReadonlyMap<string, QueueView> | undefined
}

/** One agent: how it is, what stands before it, how it works. */
export function AgentRow({ agent, depths }: AgentRowProps) {
  const texts = useTexts(AGENTS_TEXTS)
  const format = useFormat()
  const { name, available, reason, trust, connector, tools, resources, prompts, refused, pace } = agent
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
      <td className={styles.wideOnly}>{texts.trustLevels[trust] ?? trust}</td>
      <td className={`${styles.offers} ${styles.wideOnly}`}>{offers.join(' · ')}</td>
      {depths !== undefined && <QueueCells depth={depths.get(name)} />}
      <td className={styles.figure} data-bad={(pace?.failed ?? 0) > 0}>
        {format.number(pace?.failed ?? 0)}
      </td>
      <td className={styles.wideOnly}>
        <SmallBars values={pace?.perHour ?? []} label={texts.throughput(name, format.number(pace?.runs ?? 0))} />
      </td>
      <td className={`${styles.figure} ${styles.wideOnly}`}>
        {pace?.medianMs === undefined ? '–' : format.duration(pace.medianMs)}
      </td>
      <td>
        <span className={styles.slow}>
          <span className={styles.figure}>{pace?.slowMs === undefined ? '–' : format.duration(pace.slowMs)}</span>
          <SmallLine values={pace?.medianMsPerHour ?? []} label={texts.latency(name)} />
        </span>
      </td>
    </tr>
  )
}

function QueueCells({ depth }: { readonly depth: QueueView | undefined }) {
  const texts = useTexts(AGENTS_TEXTS)
  const format = useFormat()
  const { waiting = 0, active = 0, delayed = 0 } = depth ?? {}
  return (
    <>
      <td className={styles.figure}>
        {format.number(waiting)}
        {active > 0 && (
          <span className={`${styles.others} ${styles.narrowOnly}`}>{texts.active(format.number(active))}</span>
        )}
        {delayed > 0 && <span className={styles.others}>{texts.delayed(format.number(delayed))}</span>}
      </td>
      <td className={`${styles.figure} ${styles.wideOnly}`}>{format.number(active)}</td>
    </>
  )
}
