import type { ErrorData } from '#core/error.ts'
import type { TerminalState } from '#core/execution-state.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { PendingRequest } from '#core/machine.ts'
import type { ChildRequest, ComputeStall, MessageRequest, Outcome } from '#core/request.ts'
import { maskFor } from '#core/secret-mask.ts'
import { faultOf } from '#durable/lifecycle-events.ts'
import type { JournalEntry, Write } from '#durable/ports/journal.ts'
import type { ComputationEnd } from '#durable/ports/processor.ts'
import { COMPUTATION_FAILURE_KIND, decisionsBefore, kindOf, valueOfOutcome } from './journal-entries.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import type { PreparedChild } from './performer.ts'
import type { RunDeps, RunStart } from './run.ts'
import type { Attachment } from './run-input.ts'

/** The end of an execution, with secrets in it. */
export interface ExecutionEnd {
  readonly state: TerminalState
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  readonly decisions: string
}

/** Adds journal entries, lifecycle events and the end of a run to its outbox, with masked secrets. */
export interface Recorder {
  readonly outbox: Outbox
  /** The fault of an execution whose journal has become too large. */
  excess(): ErrorData | undefined
  maskValue(value: Json): Json
  maskEvent(event: JsonObject): JsonObject
  /** @returns the time of the outcome, for the machine. */
  recordOutcome(pending: PendingRequest, outcome: Outcome, startedAtMs: number, attachment: Attachment | undefined): number
  recordChildStart(request: ChildRequest, prepared: PreparedChild): void
  /** An evaluation ran out of time or memory. */
  recordRanOut(stall: ComputeStall, end: ComputationEnd): void
  waitOpened(request: MessageRequest): void
  waitClosed(position: string): void
  recordEnd(end: ExecutionEnd): void
  recordSuspension(): void
  /** Adds the new lifecycle events of the walk to the outbox. */
  collectEvents(): void
  /** Discards a failed write and all later changes, except for the acceptance, cancels and the ends of waits. */
  discard(failed: Write): void
}

export function createRecorder({ now }: Pick<RunDeps, 'now'>, { head, machine, announcer, meter, nextSeq }: RunStart): Recorder {
  const mask = maskFor(machine.execution.secrets)
  const outbox = createOutbox(head.id, head.accountId)
  let seq = nextSeq
  let excess: ErrorData | undefined

  function note(entry: Omit<JournalEntry, 'seq'>): void {
    const numbered = { seq: seq++, ...entry }
    outbox.entry(numbered)
    excess ??= meter?.add(numbered)
  }

  function started({ position }: { readonly position: string }, kind: string, value: Json): void {
    const atMs = now()
    note({ position, phase: 'started', kind, ok: true, value, decisions: '', startedAtMs: atMs, endedAtMs: atMs })
  }

  const maskEvent = (event: JsonObject) => mask?.object(event) ?? event
  const maskValue = (value: Json) => (mask === undefined ? value : mask.json(value))
  /** The clock of an execution never goes backward. */
  const executionNow = () => Math.max(now(), machine.execution.nowMs)

  return {
    outbox,
    excess: () => excess,
    maskValue,
    maskEvent,
    recordOutcome(pending, outcome, startedAtMs, attachment) {
      if (attachment?.kind === 'event') outbox.event(attachment.event)
      else if (attachment?.kind === 'reply') outbox.reply(attachment.body)
      else if (attachment?.kind === 'message') outbox.consumed(attachment.id)
      const { position } = pending.request
      const kind = kindOf(pending.request)
      const value = valueOfOutcome(outcome)
      const decisions = decisionsBefore(pending, machine)
      const endedAtMs = executionNow()
      note({ position, phase: 'ended', kind, ok: outcome.ok, value, decisions, startedAtMs, endedAtMs })
      return endedAtMs
    },
    recordChildStart(request, prepared) {
      started(request, 'workflow', prepared.head.id)
      outbox.child({ head: prepared.head, startedAtMs: prepared.startedAtMs })
    },
    recordRanOut({ evaluation }, end) {
      const atMs = executionNow()
      const value = valueOfOutcome(end)
      const times = { startedAtMs: atMs, endedAtMs: atMs }
      note({ position: String(evaluation), phase: 'ended', kind: COMPUTATION_FAILURE_KIND, ok: false, value, decisions: '', ...times })
    },
    waitOpened({ wait }) {
      started(wait, 'wait', wait.topic)
      if (wait.topic === 'events') announcer?.correlation('started', wait.position, now())
    },
    waitClosed: (position) => announcer?.correlation('completed', position, now()),
    recordEnd(end) {
      announcer?.cancelOpen(now())
      announcer?.workflow(end.state, now(), faultOf(end.error))
      const output = end.output === undefined ? undefined : maskValue(end.output)
      const error = end.error && (mask?.error(end.error) ?? end.error)
      const { state, decisions } = end
      outbox.progress({ state, output, error, decisions, endedAtMs: executionNow(), parentId: head.parentId })
    },
    recordSuspension: () =>
      outbox.progress({ state: 'suspended', events: announcer && [maskEvent(announcer.eventOf('suspended', now()))] }),
    collectEvents() {
      if (announcer !== undefined) for (const event of announcer.take()) outbox.event(maskEvent(event))
    },
    discard(failed) {
      const later = outbox.take()
      announcer?.take()
      if (failed.accept !== undefined) outbox.accept(failed.accept)
      for (const { cancels, waits } of [failed, later]) {
        for (const childId of cancels) outbox.cancel(childId)
        for (const position of waits?.closed ?? []) outbox.close(position)
      }
    },
  }
}
