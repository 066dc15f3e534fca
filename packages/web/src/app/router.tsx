import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type ParsedLocation,
  redirect,
} from '@tanstack/react-router'
import { pastEntrance } from '#src/app/past-entrance.ts'
import { RouteError } from '#src/app/route-error.tsx'
import type { PageRoute } from '#src/app/page-route.ts'
import { framedPages } from '#src/app/pages.ts'
import { loadMessages } from '#src/messages/messages.ts'
import { firstPages, outsidePages } from '#src/pages/session/routes.ts'
import { knownSession } from '#src/session/known-session.ts'
import { firstPath, openSession } from '#src/session/session.ts'

/** The frame without its content, while the session is asked for. */
function Opening() {
  if (!knownSession.exists()) return null
  return (
    <div className="frame" aria-busy="true">
      <aside className="rail" />
      <div className="main-col">
        <header className="top" />
      </div>
    </div>
  )
}

const root = createRootRoute({ component: Outlet, pendingComponent: Opening, errorComponent: RouteError })

/** Modules read texts while they load. */
const withMessages =
  <T,>(load: () => Promise<T>) =>
  (): Promise<T> =>
    loadMessages().then(load)

const unframed = createRoute({
  id: 'unframed',
  getParentRoute: () => root,
  component: lazyRouteComponent(() => import('#src/app/unframed.tsx'), 'Unframed'),
})

const framed = createRoute({
  id: 'framed',
  getParentRoute: () => root,
  component: lazyRouteComponent(
    withMessages(() => import('#src/app/framed.tsx')),
    'Framed',
  ),
  beforeLoad: async ({ location }) => {
    const { state } = await openSession()
    if (state !== 'out') return
    if (location.pathname !== '/') throw redirect({ to: '/sign-in', search: { to: location.href } })
    throw redirect({ to: await firstPath() })
  },
})

/** Leads people who are signed in past the pages that sign in. */
async function leadPast({ location: { pathname, searchStr, hash } }: { readonly location: ParsedLocation }): Promise<void> {
  const past = await pastEntrance({ pathname, search: searchStr, hash: hash === '' ? '' : `#${hash}` })
  if (past === undefined) return
  const to = new URL(past, window.location.origin)
  throw redirect({ to: to.pathname, search: Object.fromEntries(to.searchParams), hash: to.hash.slice(1), replace: true })
}

const routeOf =
  (parent: typeof root | typeof framed | typeof unframed) =>
  ({ path, load }: PageRoute) => {
    const component = lazyRouteComponent(parent === root ? load : withMessages(load), 'Page')
    return createRoute({ path, getParentRoute: () => parent, component, ...(parent === root ? { beforeLoad: leadPast } : {}) })
  }

/** Every other address: the frame stays around what says so. */
const lost: PageRoute = { path: '$', load: () => import('#src/app/not-there.tsx') }

export const router = createRouter({
  routeTree: root.addChildren([
    ...firstPages.map(routeOf(root)),
    unframed.addChildren(outsidePages.map(routeOf(unframed))),
    framed.addChildren([...framedPages, lost].map(routeOf(framed))),
  ]),
  defaultPreload: 'intent',
  defaultPreloadDelay: 50,
  scrollRestoration: true,
  defaultErrorComponent: RouteError,
  // The search of every page is plain text: what a person reads in the address is what it means.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(
      Object.entries(search).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
    ).toString()
    return text === '' ? '' : `?${text}`
  },
})
