import type { Json } from '#core/json.ts'
import { prepareCall } from './arguments.ts'
import type { HttpCallContext } from './context.ts'
import { createTextMask } from '#core/secret-mask.ts'
import { withMaskedErrors } from './masked-errors.ts'
import { shapeOutput } from './output.ts'
import { checkStatus, performCall } from './perform-call.ts'

/**
 * Performs `call: http` of the DSL and gives the task's raw output.
 *
 * The arguments are those of the definition with every expression evaluated; URI templates are still to be expanded. Throws
 * HttpCallError for what a workflow can catch, with secrets masked, and the signal's reason when it is aborted.
 * Source: DSL reference, HTTP Call.
 */
export async function callHttp(args: Json, ctx: HttpCallContext): Promise<Json> {
  const mask = createTextMask(ctx.sensitive ?? [])
  return withMaskedErrors(mask, async () => {
    const { sent, reply } = await performCall(prepareCall(args, ctx), ctx, mask)
    checkStatus(sent, reply, ctx.clock())
    return shapeOutput(sent, reply, mask)
  })
}
