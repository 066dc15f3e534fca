import type { PageRoute } from '#src/app/page-route.ts'

/** Pages of what helps to build: the assistant, agents and capture. */
export const assistPages: readonly PageRoute[] = [
  { path: '/assistant', load: () => import('#src/pages/assistant/assistant.tsx') },
  { path: '/assistant/$id', load: () => import('#src/pages/assistant/assistant.tsx') },
  { path: '/assistant/drafts', load: () => import('#src/pages/assistant/drafts.tsx') },
  { path: '/assistant/proposals', load: () => import('#src/pages/assistant/proposals.tsx') },
  { path: '/agents', load: () => import('#src/pages/agents/agents.tsx') },
  { path: '/agents/new', load: () => import('#src/pages/agents/new-agent.tsx') },
  { path: '/agents/$id', load: () => import('#src/pages/agents/agent.tsx') },
  { path: '/record', load: () => import('#src/pages/capture/capture.tsx') },
]
