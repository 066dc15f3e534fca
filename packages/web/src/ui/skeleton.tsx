import { useEffect, useState } from 'react'
import { m } from '#src/messages/messages.ts'

const quietMs = 150

/** Grey lines in the geometry of rows; nothing for the first moment. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), quietMs)
    return () => clearTimeout(timer)
  }, [])
  if (!shown) return <div className="skeleton" aria-busy="true" />
  return (
    <div className="skeleton" role="status" aria-label={m.common.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className={`w${index % 3}`} />
      ))}
    </div>
  )
}
