import { m } from '#src/messages/messages.ts'
import { bytes, number } from '#src/values/format.ts'

type Limits = Readonly<Record<string, { readonly soft: number | null; readonly hard: number | null } | undefined>>

/** The limits of a plan in words. */
export function limitsOf(limits: Limits): readonly string[] {
  const words: Readonly<Record<string, string>> = m.plan.meters
  const said = Object.entries(limits).flatMap(([meter, limit]) => {
    const most = limit?.soft ?? limit?.hard ?? null
    return most === null ? [] : [`${words[meter] ?? meter}: ${meter === 'storage_bytes' ? bytes(most) : number(most)}`]
  })
  return said.length === 0 ? [m.billing.unlimited] : said
}
