import type { CompiledWorkflow, Processor } from '@millrace/engine'
import type { ExecutionReader } from '@millrace/engine/storage'
import { type Control, type ControlDeps, createControl } from './control.ts'
import { createJournalReader } from './journal.ts'
import { createStreams, type StreamLimits, streamLimitsDefault, type Streams } from './streams.ts'
import { createWatcher } from './watch.ts'

export interface ControlServicesDeps extends ControlDeps {
  readonly reader: Pick<ExecutionReader, 'journalParts' | 'revisions'>
  readonly loadWorkflow: (accountId: string, versionId: string) => Promise<CompiledWorkflow>
  readonly processor: Processor
  readonly streams?: Partial<StreamTimes & StreamLimits>
}

interface StreamTimes {
  readonly everyMs: number
  readonly heartbeatMs: number
}

const timesDefault: StreamTimes = { everyMs: 200, heartbeatMs: 15_000 }

/** What is done to executions by hand, and what watches them. */
export function createControlServices(deps: ControlServicesDeps): { readonly control: Control; readonly streams: Streams } {
  const { everyMs, heartbeatMs, ...limits } = { ...timesDefault, ...streamLimitsDefault, ...deps.streams }
  const { reader, processor, loadWorkflow, readStarted, closing } = deps
  const readJournal = createJournalReader(reader)
  const watcher = createWatcher({ reader, everyMs })
  return {
    control: createControl(deps),
    streams: createStreams({ processor, loadWorkflow, readStarted, readJournal, heartbeatMs, watcher, closing, limits }),
  }
}
