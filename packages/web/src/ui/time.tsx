import { ago, exactTime, rowTime } from '#src/values/format.ts'

/** A time; the exact one with its zone is its tooltip. */
export function Time({ at, kind = 'row' }: { readonly at: string; readonly kind?: 'row' | 'ago' }) {
  return (
    <time dateTime={at} title={exactTime(at)} className="num">
      {kind === 'ago' ? ago(at) : rowTime(at)}
    </time>
  )
}
