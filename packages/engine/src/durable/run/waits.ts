import type { PendingRequest } from '#core/machine.ts'
import type { Json } from '#core/json.ts'
import type { MessageRequest } from '#core/request.ts'
import type { Activities } from './activities.ts'
import type { Outbox } from './outbox.ts'
import type { Message } from '#durable/ports/bus.ts'

export interface WaitsDeps {
  readonly outbox: Outbox
  readonly activities: Pick<Activities, 'awaitMessage' | 'messageCame'>
  /** Takes secrets out of what is stored. */
  readonly unsecret: (value: Json) => Json
  readonly onClosed: (position: string) => void
  /** Notes in the journal that a wait was opened. */
  noteOpened(request: MessageRequest): void
}

/** The waits that one run has open, and what came to them. */
export interface Waits {
  /** A request for the next message; the first one of a wait opens it. */
  request(pending: PendingRequest, request: MessageRequest): void
  /** Messages as the database has them, some of them perhaps again. */
  receive(messages: readonly Message[]): void
  close(position: string): void
  closeAll(): void
  any(): boolean
}

/** @param before waits that were opened earlier and are open still. */
export function createWaits({ outbox, activities, unsecret, noteOpened, onClosed }: WaitsDeps, before: Iterable<string>): Waits {
  const open = new Set(before)
  const seen = new Set<string>()
  const queues = new Map<string, Message[]>()
  const draining = new Set<string>()

  /** Hands over what came while nobody asked, one at a time: taking one may ask for the next, which the loop then gives, or close the wait. */
  function drain(position: string): void {
    const queue = queues.get(position)
    if (queue === undefined || draining.has(position)) return
    draining.add(position)
    for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
      if (activities.messageCame(message)) continue
      queue.unshift(message)
      break
    }
    draining.delete(position)
  }

  return {
    request(pending, request) {
      const { wait } = request
      if (!open.has(wait.position)) {
        open.add(wait.position)
        noteOpened(request)
        outbox.open({ ...wait, arguments: unsecret(wait.arguments) })
      }
      activities.awaitMessage(pending)
      drain(wait.position)
    },
    receive(messages) {
      for (const message of messages) {
        // What comes to a wait that has ended is given back with its end.
        if (seen.has(message.id) || !open.has(message.position)) continue
        seen.add(message.id)
        const queue = queues.get(message.position)
        if (queue === undefined) queues.set(message.position, [message])
        else queue.push(message)
      }
      for (const position of new Set(messages.map((message) => message.position))) drain(position)
    },
    close(position) {
      queues.delete(position)
      if (!open.delete(position)) return
      outbox.close(position)
      onClosed(position)
    },
    closeAll() {
      for (const position of open) {
        outbox.close(position)
        onClosed(position)
      }
      open.clear()
      queues.clear()
    },
    any: () => open.size > 0,
  }
}
