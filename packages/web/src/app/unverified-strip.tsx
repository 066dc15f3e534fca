import { lazy, Suspense, useEffect } from 'react'
import { boot } from '#src/boot.ts'
import { useSession } from '#src/session/session.ts'

/** Most people have confirmed theirs. */
const Unverified = lazy(async () => ({ default: (await import('#src/app/unverified.tsx')).Unverified }))

const key = 'millrace.unverified'

/**
 * A quiet line while the address of a person is not confirmed. It stands above the page, so its room is there from the beginning where it is expected: a page
 * that moves down while a person presses a button takes the press away.
 */
export function UnverifiedStrip() {
  const me = useSession((session) => session.me)
  const isMissing = me === undefined ? localStorage.getItem(key) !== null : !me.emailVerified
  useEffect(() => {
    if (me?.emailVerified === false) localStorage.setItem(key, '')
    else if (me !== undefined) localStorage.removeItem(key)
  }, [me])
  if (!isMissing || !boot.flags.includes('isEmailVerifyEnabled')) return null
  const room = <p className="notice-strip quiet room" />
  return me === undefined ? (
    room
  ) : (
    <Suspense fallback={room}>
      <Unverified email={me.email} />
    </Suspense>
  )
}
