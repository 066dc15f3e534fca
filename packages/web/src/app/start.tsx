import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { moveBy } from '#src/app/go-to.ts'
import { pastEntrance } from '#src/app/past-entrance.ts'
import { RouteError } from '#src/app/route-error.tsx'
import { loadMessages } from '#src/messages/messages.ts'
import { firstPages } from '#src/pages/session/routes.ts'
import { knownSession } from '#src/session/known-session.ts'
import { firstPath } from '#src/session/session.ts'
import { Toasts } from '#src/ui/toast.tsx'

const loadRouted = () => import('#src/app/routed.tsx')

/** Draws the interface. The pages that most people see first are drawn without the router, which is larger than they are; it loads as soon as a person types. */
export async function start(): Promise<void> {
  const element = document.querySelector('#root')
  if (element === null) throw new Error('the page has no root')
  window.addEventListener('vite:preloadError', reloadOnce)
  const root = createRoot(element)
  const draw = (content: ReactNode) =>
    root.render(
      <StrictMode>
        {content}
        <Toasts />
      </StrictMode>,
    )

  moveBy(async (path, replace) => {
    history[replace ? 'replaceState' : 'pushState'](null, '', path)
    await show()
  })
  addEventListener('popstate', onPopState)
  if (location.pathname === '/' && !knownSession.exists()) history.replaceState(null, '', await firstPath())
  await show()

  function onPopState(): void {
    void show()
  }

  async function show(): Promise<void> {
    try {
      const past = await pastEntrance(location)
      if (past !== undefined) history.replaceState(null, '', past)
      const first = firstPages.find(({ path }) => path === location.pathname)
      if (first === undefined) return await showRouted()
      const { Page } = await first.load()
      // Another page was asked for meanwhile.
      if (location.pathname !== first.path) return
      addEventListener('input', prepare, { once: true })
      draw(<Page key={first.path} />)
    } catch (error) {
      draw(<RouteError error={error} reset={() => void show()} />)
    }
  }

  async function showRouted(): Promise<void> {
    const { Routed } = await loadRouted()
    removeEventListener('popstate', onPopState)
    draw(<Routed />)
  }
}

/** Loads what follows a sign-in. A failure shows when it is needed. */
function prepare(): void {
  void Promise.all([loadRouted(), loadMessages().then(() => import('#src/app/framed.tsx'))]).catch(() => undefined)
}

/** A chunk that is gone belongs to a version that is no longer served: load the new one, once. */
function reloadOnce(event: Event): void {
  const key = 'millrace.reloaded'
  if (sessionStorage.getItem(key) === document.querySelector('script[src]')?.getAttribute('src')) return
  sessionStorage.setItem(key, document.querySelector('script[src]')?.getAttribute('src') ?? '')
  event.preventDefault()
  location.reload()
}
