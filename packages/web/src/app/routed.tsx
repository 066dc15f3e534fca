import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { moveBy } from '#src/app/go-to.ts'
import { router } from '#src/app/router.tsx'

/** Every page, by its address. The module may load long before it is drawn, so the router moves pages from then on. */
export function Routed() {
  useEffect(() => moveBy((path, replace) => router.navigate({ href: path, replace })), [])
  return <RouterProvider router={router} />
}
