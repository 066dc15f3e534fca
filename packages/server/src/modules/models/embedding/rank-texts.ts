import { Fault } from '@millrace/contract'
import type { Models } from '#modules/models/models.ts'

export interface RankRequest {
  readonly accountId: string
  readonly query: string
  readonly texts: readonly string[]
  readonly signal: AbortSignal
}

/** A ranking is a help: what asks for it does not wait long. */
const timeoutMs = 10_000
const queryMax = 4_000
const textMax = 400

/**
 * How similar each text is to a query in its meaning, from -1 to 1, by the models of the role `embedding`. Undefined if the account has none, or if
 * they may not be asked or do not respond: the caller then compares words.
 */
export async function rankTexts(
  models: Pick<Models, 'of' | 'embed'>,
  { accountId, query, texts, signal }: RankRequest,
): Promise<readonly number[] | undefined> {
  if (texts.length === 0 || (await models.of(accountId, 'embedding')).length === 0) return undefined
  const timeout = AbortSignal.timeout(timeoutMs)
  const bounded = [query.slice(0, queryMax), ...texts.map((text) => text.slice(0, textMax))]
  try {
    const [asked, ...vectors] = await models.embed({ accountId, texts: bounded, signal: AbortSignal.any([signal, timeout]) })
    return vectors.map((vector) => similarity(asked, vector))
  } catch (error) {
    if (signal.aborted || !(error instanceof Fault || timeout.aborted)) throw error
    return undefined
  }
}

function similarity(one: Float32Array = new Float32Array(), other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
}
