#!/bin/sh
# Patroni runs this once, when the cluster is new, with the URL of the superuser.
set -eu
psql "$1" --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$GALLEY_PASSWORD" <<'SQL'
CREATE ROLE galley LOGIN PASSWORD :'password';
CREATE DATABASE galley OWNER galley;
SQL
