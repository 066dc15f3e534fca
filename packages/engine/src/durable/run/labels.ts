import type { Label } from '#core/label.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Definitions } from '#durable/ports/definitions.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import { ownProcessor, type Processor } from '#durable/ports/processor.ts'
import type { Reception } from '#durable/ports/reception.ts'
import type { Reporter } from '#durable/ports/reporter.ts'

export interface LabelDeps {
  readonly processor?: Processor
  readonly reception?: Reception | undefined
  readonly reporter: Reporter
}

export interface LabelledStartDeps extends LabelDeps {
  readonly definitions: Pick<Definitions, 'load'>
}

type Subject = Pick<ExecutionHead, 'id' | 'accountId' | 'workflowId' | 'input' | 'createdAtMs'>

/** An execution with the labels that its workflow gives it. They never prevent a start: if something fails, it has none. */
export async function withLabels<Head extends Subject>(
  deps: LabelDeps,
  head: Head,
  workflow: CompiledWorkflow,
): Promise<Head & { readonly labels?: readonly Label[] }> {
  const { labels: read } = workflow
  if (read === undefined) return head
  const { processor = ownProcessor, reception, reporter } = deps
  const { id: executionId, accountId, workflowId, input, createdAtMs } = head
  try {
    const labels = await processor.inTurn(accountId, () => {
      const result = read(input, createdAtMs)
      if (processor.turn !== undefined) processor.turn.fuel -= result.steps
      return result.labels
    })
    if (labels.length === 0) return head
    return { ...head, labels: (await reception?.passLabels({ accountId, executionId, workflowId }, labels)) ?? labels }
  } catch (error) {
    reporter.warn('failed to evaluate the labels of an execution', { executionId, error })
    return head
  }
}

/** The same for an execution whose definition is not needed otherwise: one that cannot be read fails the execution when it begins. */
export async function withLabelsOfVersion(deps: LabelledStartDeps, head: ExecutionHead): Promise<ExecutionHead> {
  const workflow = await deps.definitions.load(head.accountId, head.versionId).catch(() => undefined)
  return workflow === undefined ? head : withLabels(deps, head, workflow)
}
