import { HubError } from '@synchub/protocol'
import { type ReactNode, useEffect } from 'react'
import { FailureNote } from '../controls/failure-note.js'
import { Waiting } from '../controls/waiting.js'
import { toFailure } from '../hub/failure.js'
import { useLiveState } from '../live/use-live.js'
import { SessionContext, useSessionQuery, useSignIn } from './session.js'
import styles from './session.module.css'
import { SignIn } from './sign-in.js'

/** Shows the pages to people whom the hub knows, and the sign-in to others. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { data, error, isPending, refetch } = useSessionQuery()
  const { recheck } = useSignIn()
  const liveState = useLiveState()
  const isOver = liveState.kind === 'refused' && data !== undefined
  useEffect(() => {
    if (isOver) void recheck()
  }, [isOver, recheck])
  if (data !== undefined) return <SessionContext value={data}>{children}</SessionContext>
  if (isPending) return <Waiting />
  if (error instanceof HubError && error.code === 'UNAUTHENTICATED') return <SignIn />
  return (
    <main className={styles.center}>
      <FailureNote failure={toFailure(error)} onRetry={() => void refetch()} />
    </main>
  )
}
