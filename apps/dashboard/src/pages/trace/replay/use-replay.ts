import type { TraceEventItem } from '@synchub/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { TraceModel } from '../model/trace-model.js'
import { type PlaySpeed, playOn } from './player.js'
import { ReplayModel } from './replay-model.js'

/** A replay as a page shows it. */
export interface Replay {
  readonly model: TraceModel
  readonly atMs: number
  /** Events that have happened by then. */
  readonly count: number
  readonly speed: PlaySpeed
  readonly isPlaying: boolean
  seek(atMs: number): void
  setSpeed(speed: PlaySpeed): void
  setPlaying(isPlaying: boolean): void
}

/** Plays the recorded events of a trace; nothing is executed. @param isOn - false stands still and costs nothing */
export function useReplay(events: readonly TraceEventItem[], beginMs: number, isOn: boolean): Replay {
  const past = useRef(new ReplayModel())
  const [atMs, setAtMs] = useState(beginMs)
  const [speed, setSpeed] = useState<PlaySpeed>(1)
  const [isPlaying, setPlaying] = useState(true)
  const model = past.current.seek(isOn ? events : [], atMs)
  const { count } = past.current
  useEffect(() => {
    if (!isOn) return
    past.current = new ReplayModel()
    setAtMs(beginMs)
    setPlaying(true)
  }, [isOn, beginMs])
  const place = useRef(atMs)
  place.current = atMs
  useEffect(() => {
    if (!isOn || !isPlaying) return
    let lastMs = performance.now()
    let frame = requestAnimationFrame(function step(frameMs) {
      const elapsedMs = Math.max(0, frameMs - lastMs)
      lastMs = frameMs
      const { count: happened } = past.current
      const reached = playOn({ atMs: place.current, speed, events, count: happened, elapsedMs })
      if (reached === undefined) return setPlaying(false)
      setAtMs(reached)
      frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [isOn, isPlaying, speed, events])
  const seek = useCallback((wantedMs: number) => {
    setPlaying(false)
    setAtMs(wantedMs)
  }, [])
  return { model, atMs, count, speed, isPlaying, seek, setSpeed, setPlaying }
}
