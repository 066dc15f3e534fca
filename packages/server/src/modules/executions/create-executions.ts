import { streamHeartbeatMs } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import type { ExecutionReader } from '@millrace/engine/storage'
import type { EventStreams } from '#platform/http/index.ts'
import { type Control, type ControlDeps, createControl } from './control/control.ts'
import { shownExecution } from './disclosure.ts'
import { type FindErasure, withErasure } from './erased.ts'
import { createExecutionLookup } from './execution-lookup.ts'
import { createExecutionService, type ExecutionService, type ExecutionServiceDeps } from './execution-service.ts'
import { assertFutureInput } from './start.ts'
import { createJournalLookup } from './streams/journal-lookup.ts'
import { createStreams, type Streams } from './streams/streams.ts'
import { createWatcher } from './streams/watcher.ts'

type FromReader = 'findExecution' | 'readExecution' | 'readJournal' | 'findByKey'

export interface ExecutionsDeps extends Omit<ExecutionServiceDeps & ControlDeps, FromReader> {
  readonly reader: ExecutionReader
  readonly eventStreams: EventStreams
  readonly erasedOf: FindErasure
}

/** Everything that is done with executions from outside of the engine. */
export interface Executions extends ExecutionService {
  readonly control: Control
  readonly streams: Streams
  /** The execution that was started with an idempotency key, with its input as JSON. */
  readonly startedBy: (accountId: string, key: string) => Promise<{ readonly id: string; readonly input: string } | undefined>
  /** Fault `input_invalid` for an input that the latest version of a workflow refuses. */
  readonly assertFutureInput: (accountId: string, workflowId: string, input: Json) => Promise<void>
}

const watchEveryMs = 200

export function createExecutions({ reader, eventStreams, ...deps }: ExecutionsDeps): Executions {
  const { processor, loadWorkflow } = deps
  const findExecution = createExecutionLookup(reader)
  const readExecution = withErasure(findExecution, deps.erasedOf)
  return {
    ...createExecutionService({ ...deps, findExecution, readExecution, readJournal: reader.journal, findByKey: reader.findByKey }),
    control: createControl({ ...deps, findExecution }),
    async startedBy(accountId, key) {
      const found = await reader.findByKey(accountId, key)
      const input = found && (await findExecution({ accountId, id: found.id }))?.input
      return found && input !== undefined ? { id: found.id, input } : undefined
    },
    assertFutureInput: (accountId, workflowId, input) => assertFutureInput(deps, accountId, workflowId, input),
    streams: createStreams({
      processor,
      loadWorkflow,
      findExecution: readExecution,
      show: (accountId, execution) => shownExecution(deps.disclose, accountId, execution),
      readJournal: createJournalLookup(reader),
      heartbeatMs: streamHeartbeatMs,
      watcher: createWatcher({ reader, everyMs: watchEveryMs }),
      eventStreams,
    }),
  }
}
