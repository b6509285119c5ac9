{{- define "galley.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
{{- end }}

{{- define "galley.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "galley.labels" -}}
{{ include "galley.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* The image of a program: list $ "api". */}}
{{- define "galley.image" -}}
{{- $root := index . 0 }}{{ $program := index . 1 -}}
{{- $image := index $root.Values.images $program }}{{ $digest := index $root.Values.images.digests $program -}}
image: {{ if $digest }}{{ printf "%s@%s" $image $digest | quote }}{{ else }}{{ printf "%s:%s" $image (default $root.Chart.AppVersion $root.Values.images.tag) | quote }}{{ end }}
imagePullPolicy: {{ $root.Values.images.pullPolicy }}
{{- end }}

{{- /*
The variables of a program: list $ "api". They are in the pods and in no ConfigMap, so that every change of a value
is a rollout, and the migration has them before anything is installed.
*/}}
{{- define "galley.env" -}}
{{- $root := index . 0 }}{{ $program := index . 1 -}}
{{- range $name, $value := $root.Values.config }}
{{- if ne (toString $value) "" }}
- name: {{ $name }}
  {{- /* Helm reads large numbers as floats. */}}
  value: {{ if kindIs "float64" $value }}{{ printf "%.0f" $value | quote }}{{ else }}{{ toString $value | quote }}{{ end }}
{{- end }}
{{- end }}
{{- range $name, $secret := $root.Values.secrets }}
{{- $isRead := or (ne $program "migrate") (hasPrefix "DATABASE_" $name) }}
{{- if and (has $name (list "AUTH_WEBHOOK_SECRET" "SMTP_URL")) (ne $program "api") }}{{ $isRead = false }}{{ end }}
{{- if and $isRead $secret.name }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: { name: {{ $secret.name | quote }}, key: {{ $secret.key | quote }} }
{{- end }}
{{- end }}
{{- with $root.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* The volumes of all pods, and where containers mount them. */}}
{{- define "galley.volumes" -}}
{{- with .Values.extraVolumes }}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "galley.volumeMounts" -}}
{{- with .Values.extraVolumeMounts }}
volumeMounts:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "galley.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "galley.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- /* Where the pods of a program run: list $ "api". */}}
{{- define "galley.scheduling" -}}
{{- $root := index . 0 }}{{ $program := index . 1 }}{{ $values := index $root.Values $program -}}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "galley.selectorLabels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $program }}
  {{- end }}
{{- range $field := list "nodeSelector" "tolerations" "affinity" }}
{{- with index $values $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{- /* The Deployment of a program that serves its health at a port: list $ "api" port. */}}
{{- define "galley.deployment" -}}
{{- $root := index . 0 }}{{ $program := index . 1 }}{{ $port := index . 2 }}{{ $values := index $root.Values $program -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "galley.name" $root }}-{{ $program }}
  labels:
    {{- include "galley.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $program }}
spec:
  {{- if not (index . 3) }}
  replicas: {{ $values.replicas }}
  {{- end }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels:
      {{- include "galley.selectorLabels" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $program }}
  template:
    metadata:
      labels:
        {{- include "galley.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $program }}
      {{- with $values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "galley.name" $root }}
      {{- include "galley.podSecurity" $root | nindent 6 }}
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      {{- with $root.Values.images.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- include "galley.scheduling" (list $root $program) | nindent 6 }}
      containers:
        - name: {{ $program }}
          {{- include "galley.image" (list $root $program) | nindent 10 }}
          {{- include "galley.containerSecurity" $root | nindent 10 }}
          env:
            {{- include "galley.env" (list $root $program) | nindent 12 }}
          ports:
            - { name: http, containerPort: {{ $port }} }
            {{- if $root.Values.config.METRICS_PORT }}
            - { name: metrics, containerPort: {{ $root.Values.config.METRICS_PORT }} }
            {{- end }}
          # Galley tries for half a minute to reach PostgreSQL before it listens.
          startupProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /health/ready, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          {{- with $values.preStopSeconds }}
          lifecycle:
            preStop:
              exec: { command: [sleep, {{ . | quote }}] }
          {{- end }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          {{- include "galley.volumeMounts" $root | nindent 10 }}
      {{- include "galley.volumes" $root | nindent 6 }}
{{- end }}

{{- /* The PodDisruptionBudget of a program: list $ "api". */}}
{{- define "galley.disruptionBudget" -}}
{{- $root := index . 0 }}{{ $program := index . 1 -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "galley.name" $root }}-{{ $program }}
  labels:
    {{- include "galley.labels" $root | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "galley.selectorLabels" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $program }}
{{- end }}
