import type { PendingRequest } from '#core/machine.ts'
import type { MessageRequest } from '#core/request.ts'
import type { Message } from '#durable/ports/bus.ts'
import type { Activities } from './activities.ts'
import type { Recorder } from './recorder.ts'

export interface WaitsDeps {
  readonly recorder: Pick<Recorder, 'outbox' | 'maskValue' | 'waitOpened' | 'waitClosed'>
  readonly activities: Pick<Activities, 'awaitMessage' | 'takeMessage'>
}

/** The open waits of one run, with the messages that arrived for them and were not requested yet. */
export interface Waits {
  /** A request for the next message; the first one of a wait opens it. */
  request(pending: PendingRequest, request: MessageRequest): void
  /** Queues new messages; some may have been received before. */
  receive(messages: readonly Message[]): void
  close(position: string): void
  closeAll(): void
  isAnyOpen(): boolean
}

/** @param before waits that were opened by an earlier run and are open still. */
export function createWaits({ recorder, activities }: WaitsDeps, before: Iterable<string>): Waits {
  const { outbox } = recorder
  const open = new Set(before)
  const seen = new Set<string>()
  const queues = new Map<string, Message[]>()

  /** Passes the oldest message of a wait to its request, if there is one. A following request takes the next message. */
  function offer(position: string): void {
    const queue = queues.get(position)
    const message = queue?.[0]
    if (message !== undefined && activities.takeMessage(message)) queue?.shift()
  }

  return {
    request(pending, request) {
      const { wait } = request
      if (!open.has(wait.position)) {
        open.add(wait.position)
        recorder.waitOpened(request)
        outbox.open({ ...wait, arguments: recorder.maskValue(wait.arguments) })
      }
      activities.awaitMessage(pending)
      offer(wait.position)
    },
    receive(messages) {
      for (const message of messages) {
        // A message to an ended wait is returned by the write that closes the wait.
        if (seen.has(message.id) || !open.has(message.position)) continue
        seen.add(message.id)
        const queue = queues.get(message.position)
        if (queue === undefined) queues.set(message.position, [message])
        else queue.push(message)
      }
      for (const position of new Set(messages.map((message) => message.position))) offer(position)
    },
    close(position) {
      queues.delete(position)
      if (!open.delete(position)) return
      outbox.close(position)
      recorder.waitClosed(position)
    },
    closeAll() {
      for (const position of open) {
        outbox.close(position)
        recorder.waitClosed(position)
      }
      open.clear()
      queues.clear()
    },
    isAnyOpen: () => open.size > 0,
  }
}
