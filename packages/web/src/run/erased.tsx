import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { exactTime } from '#src/values/format.ts'

/** Says that data of a person was erased in the run, with the way to the erasures and their receipts. */
export function Erased({ erased: { at } }: { readonly erased: { readonly at: string } }) {
  const e = m.evidence
  return (
    <p className="notice-strip">
      {e.erasedOn(exactTime(at))} {e.erasedText}{' '}
      <Link to="/privacy" search={{ view: 'erasures' }}>
        {m.erasures.title}
      </Link>
    </p>
  )
}
