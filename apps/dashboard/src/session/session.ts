import type { Session } from '@synchub/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { hub } from '../hub/hub-client.js'
import { live } from '../live/live-connection.js'

const QUERY_KEY = ['session']

/** Who one is; asks the hub. */
export function useSessionQuery() {
  return useQuery({ queryKey: QUERY_KEY, queryFn: ({ signal }) => hub.session({ signal }), staleTime: 60_000 })
}

/** The session of the page below the gate. */
export const SessionContext = createContext<Session | null>(null)

/** Who one is. @throws Error outside the gate */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('this part of the page stands outside the sign-in')
  return session
}

/** Whether one is an operator who may see the queues, which all tenants share. */
export function useMayReadQueues(): boolean {
  return useSession().scopes.includes('queues:read')
}

/** Whether one may say what became of a call of this owner; the hub has the last word. */
export function useMayResolve(): (owner: string) => boolean {
  const { subject, scopes } = useSession()
  return (owner) => owner === subject || scopes.includes('calls:resolve:tenant')
}

/** Signing in and out; everything that was shown to somebody else is forgotten. */
export function useSignIn() {
  const queries = useQueryClient()
  return useMemo(
    () => ({
      async signIn(apiKey: string): Promise<void> {
        const session = await hub.signIn(apiKey)
        queries.clear()
        queries.setQueryData(QUERY_KEY, session)
        live.restart()
      },
      async signOut(): Promise<void> {
        await hub.signOut()
        live.restart()
        await queries.resetQueries()
      },
      /** The hub says that the session is over. */
      recheck: () => queries.resetQueries({ queryKey: QUERY_KEY }),
    }),
    [queries],
  )
}
