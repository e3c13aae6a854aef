/** Generates the PrometheusRule of ops/kubernetes and of the Helm chart from ops/alerts.yaml. */
import { readFileSync } from 'node:fs';

function prometheusRule(): string {
  const alerts = readFileSync('ops/alerts.yaml', 'utf8');
  const groups = alerts.slice(alerts.indexOf('groups:'));
  const indented = groups.trimEnd().replaceAll(/^(?=.)/gm, '  ');
  return `# Generated from ops/alerts.yaml.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: folio
spec:
${indented}
`;
}

/** Prometheus expands templates such as `{{ $labels.instance }}`: Helm must leave them as they are. */
function helmTemplate(text: string): string {
  const escaped = text.replaceAll(/\{\{|\}\}/g, (braces) => `{{ "${braces}" }}`);
  return `{{- if .Values.monitoring.enabled }}\n${escaped}{{- end }}\n`;
}

/** The generated files by path. */
export function prometheusRules(): readonly (readonly [path: string, text: string])[] {
  const rule = prometheusRule();
  return [
    ['ops/kubernetes/monitoring/prometheus-rule.yaml', rule],
    ['ops/helm/templates/prometheus-rule.yaml', helmTemplate(rule)],
  ];
}
