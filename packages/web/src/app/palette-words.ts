/** Words in both languages that find a page beside its name: people look for what they want to do. */
export const pageWords: Readonly<Record<string, string>> = {
  '/variables': 'أسرار سر كلمة مرور رموز secrets passwords tokens credentials constants',
  '/connections': 'كلمة مرور حسابات قواعد credentials passwords accounts databases smtp',
  '/settings/security': 'كلمة مرور جلسات passwords two-factor 2fa passkeys sessions',
  '/triggers': 'جدول جدولة موعد يومي schedules cron timers webhooks triggers daily forms نموذج',
  '/settings/team': 'دعوة مستخدمون أعضاء أدوار invite users members people roles',
  '/audit': 'سجل سجلات تاريخ logs history changes',
  '/settings/activity': 'سجل تاريخ logs history',
  '/runs': 'تنفيذ سجل أخطاء executions logs errors',
  '/settings/api-keys': 'رموز tokens',
  '/settings/sign-in': 'دخول sso saml oidc login',
}
