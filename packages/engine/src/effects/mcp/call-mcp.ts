import type { Json } from '#core/json.ts'
import { WorkflowError } from '#core/error.ts'
import { toWorkflowError } from '#effects/http/effect-call.ts'
import { createTextMask, type TextMask } from '#core/secret-mask.ts'
import { prepareMcpCall } from './arguments.ts'
import type { McpCallContext } from './context.ts'
import { toolFailure } from './failures.ts'
import { requestInSession } from './session.ts'

/**
 * Performs `call: mcp` of the DSL over HTTP and gives the JSON-RPC result.
 *
 * The arguments are those of the definition with every expression evaluated; URI templates are still to be expanded. Throws
 * WorkflowError for what a workflow can catch, with secrets masked, and the signal's reason when it is aborted.
 * Source: DSL reference, MCP Call.
 */
export async function callMcp(args: Json, ctx: McpCallContext): Promise<Json> {
  const mask = createTextMask(ctx.sensitive ?? [])
  try {
    const call = prepareMcpCall(args, ctx)
    const result = await requestInSession(call, { ...ctx, mask })
    // A failed tool call must fail the task, otherwise the workflow would continue as if the tool had succeeded.
    if (call.method === 'tools/call' && result['isError'] === true) throw toolFailure(call, result)
    return result
  } catch (error) {
    throw catchable(error, mask)
  }
}

function catchable(error: unknown, mask: TextMask): unknown {
  const raised = toWorkflowError(error)
  return raised instanceof WorkflowError ? masked(raised, mask) : raised
}

/** The detail is masked before it is cut: half a secret would not be recognised. */
function masked(error: WorkflowError, mask: TextMask): WorkflowError {
  const { detail } = error.data
  if (detail === undefined) return error
  const text = mask.text(detail)
  const shortened = text.length > detailMax ? `${text.slice(0, detailMax)}…` : text
  return new WorkflowError({ ...error.data, detail: shortened }, { cause: error.cause, retryAfterMs: error.retryAfterMs })
}

/** Errors are stored in the journal and read by people. */
const detailMax = 1_500
