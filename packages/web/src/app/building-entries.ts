import type { NavEntry } from '#src/app/nav-entry.ts'
import { m } from '#src/messages/messages.ts'

/** Entries of the rail for what workflows are made from. */
export function buildingEntries(): readonly NavEntry[] {
  return [
    { path: '/triggers', label: m.nav.triggers, icon: 'clock', needs: 'triggers.list', scopes: ['triggers:read'] },
    { path: '/chains', label: m.nav.chains, icon: 'chain', needs: 'chains.list', scopes: ['triggers:read'] },
    { path: '/templates', label: m.nav.templates, icon: 'template', needs: 'templates.list', scopes: ['workflows:read'] },
    { path: '/marketplace', label: m.nav.marketplace, icon: 'shop', needs: 'marketplace.list' },
    {
      path: '/connections',
      label: m.connections.title,
      icon: 'key',
      pages: [
        { path: '/connections', label: m.connections.title, icon: 'key', needs: 'connections.list', scopes: ['connections:read'] },
        { path: '/connectors', label: m.connectors.title, icon: 'plug', needs: 'connectors.list', scopes: ['connectors:read'] },
      ],
    },
    { path: '/git', label: m.git.title, icon: 'branch', needs: 'git.list', scopes: ['workflows:read'] },
  ]
}

/** Entries of the rail for help by models. */
export function assistEntries(): readonly NavEntry[] {
  return [
    { path: '/assistant', label: m.assistant.title, icon: 'assist', needs: 'assistant.chat', scopes: ['assistant:confirm'] },
    { path: '/agents', label: m.agents.title, icon: 'agent', needs: 'agent.runs', scopes: ['agents:read'] },
    { path: '/record', label: m.capture.title, icon: 'eye', needs: 'livecapture.start', scopes: ['capture:write'] },
  ]
}
