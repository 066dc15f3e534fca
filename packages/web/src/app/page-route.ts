import type { ComponentType } from 'react'

/** A page: its path and its module, which is loaded when it is needed. */
export interface PageRoute {
  readonly path: string
  readonly load: () => Promise<{ readonly Page: ComponentType }>
}
