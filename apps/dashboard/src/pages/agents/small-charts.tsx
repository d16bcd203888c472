import styles from './agents.module.css'

interface SmallChartProps {
  readonly values: readonly number[]
  /** What it shows, for screen readers and as a tip. */
  readonly label: string
}

const WIDTH = 120
const HEIGHT = 26

/** How often, as bars. */
export function SmallBars({ values, label }: SmallChartProps) {
  const most = Math.max(...values, 1)
  const step = WIDTH / Math.max(values.length, 1)
  const path = values
    .map((value, at) => {
      const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT)
      return `M${(at * step).toFixed(1)} ${HEIGHT}v-${height.toFixed(1)}h${(step - 1.4).toFixed(1)}v${height.toFixed(1)}z`
    })
    .join('')
  return (
    <svg className={styles.chart} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      <path d={path} className={styles.bars} />
    </svg>
  )
}

/** How long, as a line. */
export function SmallLine({ values, label }: SmallChartProps) {
  const most = Math.max(...values, 1)
  const step = values.length > 1 ? WIDTH / (values.length - 1) : 0
  const points = values.map(
    (value, at) => `${(at * step).toFixed(1)},${(HEIGHT - 1.5 - (value / most) * (HEIGHT - 3)).toFixed(1)}`,
  )
  return (
    <svg className={styles.chart} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      {values.length > 1 && <polyline points={points.join(' ')} className={styles.curve} />}
      {values.length === 1 && <circle cx={WIDTH / 2} cy={HEIGHT / 2} r={2} className={styles.bars} />}
    </svg>
  )
}
