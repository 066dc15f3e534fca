import type { ReactNode } from 'react'

interface EmptyProps {
  readonly title: string
  readonly text: ReactNode
  /** Nothing where it is `false`. */
  readonly action?: ReactNode
  /** A page of the documentation. */
  readonly doc?: string | undefined
}

/** A page that has nothing to show yet: three lines of water, what it is for, and what to do. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div className="empty">
      <svg className="empty-art" viewBox="0 0 168 40" aria-hidden="true">
        <path d="M4 8h60" className="v on" />
        <path d="M64 8h40a12 12 0 0 1 12 12 12 12 0 0 0 12 12h36" className="v" />
        <rect x="58" y="2" width="12" height="12" rx="3" className="g on" />
        <rect x="128" y="26" width="12" height="12" rx="3" className="g" />
      </svg>
      <h2 className="t20">{title}</h2>
      <p className="i2">{text}</p>
      {action !== undefined && action !== false && <div className="row wrap">{action}</div>}
    </div>
  )
}
