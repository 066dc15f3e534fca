import type { ReactNode } from 'react'

/** A titled part beside a flow of which no step is selected. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h2 className="t12 i2">{title}</h2>
      {children}
    </section>
  )
}
