import { type ComponentType, lazy, Suspense } from 'react'

/** A component whose module is loaded when it is drawn first. */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Loaded = lazy(async () => ({ default: await load() }))
  return function OnDemand(props: P) {
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    )
  }
}
