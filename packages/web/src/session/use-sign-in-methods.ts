import { useEffect, useState } from 'react'
import { signInMethods } from '#src/session/session.ts'

type Methods = Awaited<ReturnType<typeof signInMethods>>

let known: Methods | undefined

/** The ways in that this installation offers; undefined until they are known. Pages without a session do without the library for queries. */
export function useSignInMethods(): Methods | undefined {
  const [methods, setMethods] = useState(known)
  useEffect(() => {
    let shown = true
    signInMethods()
      .then((found) => {
        known = found
        if (shown) setMethods(found)
      })
      // A password still works.
      .catch(() => undefined)
    return () => {
      shown = false
    }
  }, [])
  return methods
}
