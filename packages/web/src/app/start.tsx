import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from '#src/app/router.tsx'
import { Toasts } from '#src/ui/toast.tsx'

/** Draws the interface. */
export function start(): void {
  const root = document.querySelector('#root')
  if (root === null) throw new Error('the page has no root')
  window.addEventListener('vite:preloadError', reloadOnce)
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
      <Toasts />
    </StrictMode>,
  )
}

/** A chunk that is gone belongs to a version that is no longer served: load the new one, once. */
function reloadOnce(event: Event): void {
  const key = 'millrace.reloaded'
  if (sessionStorage.getItem(key) === document.querySelector('script[src]')?.getAttribute('src')) return
  sessionStorage.setItem(key, document.querySelector('script[src]')?.getAttribute('src') ?? '')
  event.preventDefault()
  location.reload()
}
