# Registers the bill link on Windows: electron-builder registers `protocols` on macOS and Linux only. The keys are those of
# https://learn.microsoft.com/previous-versions/windows/internet-explorer/ie-developer/platform-apis/aa767914(v=vs.85),
# for the account or for all users, as the installer was told. After `--` nothing is a switch, whatever a link contains.

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\tillpoints" "" "URL:Tillpoints"
  WriteRegStr SHELL_CONTEXT "Software\Classes\tillpoints" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\tillpoints\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\tillpoints\shell\open\command" "" \
    '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\tillpoints"
!macroend
