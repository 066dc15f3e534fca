import type { NavEntry } from '#src/app/nav-entry.ts'
import { m } from '#src/messages/messages.ts'

/** Entries of the rail for what workflows are made from. */
export function buildingEntries(): readonly NavEntry[] {
  return [
    { path: '/triggers', label: m.nav.triggers, icon: 'clock', needs: 'triggers.list', scope: 'triggers:read' },
    { path: '/chains', label: m.nav.chains, icon: 'chain', needs: 'chains.list', scope: 'triggers:read' },
    { path: '/templates', label: m.nav.templates, icon: 'template', needs: 'templates.list', scope: 'workflows:read' },
    { path: '/marketplace', label: m.nav.marketplace, icon: 'shop', needs: 'marketplace.list' },
    {
      path: '/connections',
      label: m.connections.title,
      icon: 'key',
      pages: [
        { path: '/connections', label: m.connections.title, icon: 'key', needs: 'connections.list', scope: 'connections:read' },
        { path: '/connectors', label: m.connectors.title, icon: 'plug', needs: 'connectors.list', scope: 'connectors:read' },
      ],
    },
    { path: '/git', label: m.git.title, icon: 'branch', needs: 'git.list', scope: 'workflows:read' },
  ]
}

/** Entries of the rail for help by models. */
export function assistEntries(): readonly NavEntry[] {
  return [
    { path: '/assistant', label: m.assistant.title, icon: 'assist', needs: 'assistant.chat', scope: 'assistant:use' },
    { path: '/agents', label: m.agents.title, icon: 'agent', needs: 'agent.runs', scope: 'agents:read' },
    { path: '/record', label: m.capture.title, icon: 'eye', needs: 'livecapture.start', scope: 'capture:write' },
  ]
}
