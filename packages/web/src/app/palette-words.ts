/** Words in both languages that find a page beside its name: people look for what they want to do. */
export const pageWords: Readonly<Record<string, string>> = {
  '/variables': 'أسرار سر كلمة مرور رموز secrets passwords tokens credentials constants',
  '/connections': 'كلمة مرور حسابات قواعد credentials passwords accounts databases smtp secrets tokens login api',
  '/settings/security': 'كلمة مرور جلسات passwords two-factor 2fa passkeys sessions',
  '/triggers': 'جدول جدولة موعد يومي schedules cron timers webhooks triggers daily forms نموذج',
  '/settings/team': 'دعوة مستخدمون أعضاء أدوار invite users members people roles',
  '/audit': 'سجل سجلات تاريخ logs history changes',
  '/settings/activity': 'سجل تاريخ logs history',
  '/runs': 'تنفيذ سجل أخطاء executions logs errors',
  '/settings/api-keys': 'رموز tokens',
  '/settings/model-use': 'تكلفة سعر ميزانية حد costs prices spending budget limits ai tokens',
  '/settings/models': 'ذكاء اصطناعي ai llm openai anthropic ollama prices',
  '/settings/plan': 'حدود سعر استخدام limits prices quota billing invoices usage',
  '/settings/data': 'تصدير بيانات export data consent gdpr',
  '/privacy': 'محو شخص بيانات شخصية erase delete person personal data gdpr dsar redact',
  '/settings/sign-in': 'دخول sso saml oidc login',
}
