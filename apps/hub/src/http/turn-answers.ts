import { ServerResponse } from 'node:http'

let turn = 0
let planned = false
let held: [TurnResponse, string][] = []

export class TurnResponse extends ServerResponse {
  readonly arrivedIn = noteArrival()
}

function noteArrival(): number {
  if (!planned) {
    planned = true
    setImmediate(endTurn)
  }
  return turn
}

export function endWithTurn(res: ServerResponse, body: string): void {
  if (!(res instanceof TurnResponse) || res.arrivedIn !== turn) {
    res.end(body)
    return
  }
  held.push([res, body])
}

function endTurn(): void {
  planned = false
  turn++
  const answers = held
  held = []
  for (const [res, body] of answers) res.end(body)
}
