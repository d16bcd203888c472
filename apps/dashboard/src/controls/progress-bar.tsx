import styles from './controls.module.css'

interface ProgressBarProps {
  /** How far, from 0; undefined where nothing was told yet. */
  readonly progress: number | undefined
  /** What is all; undefined where the agent does not know. */
  readonly total: number | undefined
  /** What it is the progress of, for screen readers. */
  readonly label: string
}

/** How far something is; without a total it only shows that it moves. */
export function ProgressBar({ progress, total, label }: ProgressBarProps) {
  const fraction = progress === undefined || !total ? undefined : Math.min(progress / total, 1)
  const value = fraction === undefined ? {} : { 'aria-valuenow': Math.round(fraction * 100) }
  return (
    <span
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...value}
    >
      {fraction === undefined ? (
        <span className={styles.moving} />
      ) : (
        <span className={styles.fill} style={{ transform: `scaleX(${fraction})` }} />
      )}
    </span>
  )
}
